/**
 * Returns the inline script that loads the scripts of a public page after the first paint, so that they do not compete with text and fonts for
 * bandwidth. It loads them earlier on the first key press or pointer press, in a hidden tab, and after one second at the latest.
 */
export const startScript = (entry: string, preloads: readonly string[]): string =>
  `(function(){var begun;function begin(){if(begun)return;begun=1;${JSON.stringify([entry, ...preloads])}.forEach(function(f){var l=document.createElement("link");` +
  `l.rel="modulepreload";l.href=f;document.head.append(l)});import(${JSON.stringify(entry)}).catch(function(){})}` +
  'if(document.visibilityState==="hidden")return begin();new PerformanceObserver(begin).observe({type:"paint",buffered:true});' +
  '["pointerdown","keydown"].forEach(function(t){addEventListener(t,begin,{once:true,capture:true})});setTimeout(begin,1000)})()'
