/** Where the browser keeps the choice. */
export const themeKey = 'theme'

/** Runs in the head before the first paint, so that a chosen theme never flashes. */
export const themeScript = `try{var t=localStorage.getItem("${themeKey}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch(e){}`
