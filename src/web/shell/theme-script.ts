/** The localStorage key of the chosen theme. */
export const themeKey = 'theme'

/** Runs in the head before the first paint, so that the page never flashes in the other theme. */
export const themeScript = `try{var t=localStorage.getItem("${themeKey}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch(e){}`
