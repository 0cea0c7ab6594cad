/**
 * Starts a page that is worth reading without scripts: they are fetched once there is something to see, so that text and fonts do not
 * share a slow line with them; sooner when somebody touches the page, or when nothing will be painted.
 */
export const startScript = (entry: string, preloads: readonly string[]): string =>
  `(function(){var begun;function begin(){if(begun)return;begun=1;${JSON.stringify([entry, ...preloads])}.forEach(function(f){var l=document.createElement("link");` +
  `l.rel="modulepreload";l.href=f;document.head.append(l)});import(${JSON.stringify(entry)}).catch(function(){})}` +
  'if(document.visibilityState==="hidden")return begin();new PerformanceObserver(begin).observe({type:"paint",buffered:true});' +
  '["pointerdown","keydown"].forEach(function(t){addEventListener(t,begin,{once:true,capture:true})});setTimeout(begin,1000)})()'
