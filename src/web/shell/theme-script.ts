/** The localStorage key of the chosen theme. */
export const themeKey = 'theme'

/**
 * Runs in the head before the first paint, so that a page never flashes in the wrong theme, nor an admin page with the wrong sidebar or row height
 * (`pages/admin/desk/preferences.ts`).
 */
export const themeScript = `try{var d=document.documentElement.dataset,t=localStorage.getItem("${themeKey}");if(t==="light"||t==="dark")d.theme=t;var s=localStorage.getItem("desk-side");d.side=s==="mini"||s==="wide"?s:innerWidth>1280?"wide":"mini";if(localStorage.getItem("desk-rows")==="compact")d.rows="compact"}catch(e){}`
