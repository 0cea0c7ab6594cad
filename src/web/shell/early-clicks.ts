declare global {
  interface Window {
    /** Ends the keeping and gives what was pressed, in order. */
    takeClicks?: () => HTMLButtonElement[]
  }
}

/**
 * Runs in the head: buttons pressed before the page's scripts are there are kept for them instead of doing nothing. Links, controls of forms and
 * disclosures work by themselves. React must not see such a click: it would answer some of them itself, and those would count twice.
 */
export const earlyClicksScript =
  '(function(){var kept=[];function keep(e){var b=e.target.closest&&e.target.closest("button");if(b){e.preventDefault();e.stopImmediatePropagation();kept.push(b)}}' +
  'addEventListener("click",keep,true);window.takeClicks=function(){removeEventListener("click",keep,true);delete window.takeClicks;return kept}})()'

/** Presses the kept buttons, one after the other. */
export function replayClicks(): void {
  const kept = window.takeClicks?.() ?? []
  if (kept.length > 0) replay(kept, Date.now() + 10_000)
}

/** React stops a click on a part of the page that it has not brought to life yet: then it never arrives, and is tried again. */
function replay([button, ...others]: HTMLButtonElement[], until: number): void {
  if (!button) return
  let arrived = !button.isConnected
  const arrive = () => {
    arrived = true
  }
  button.addEventListener('click', arrive, { once: true })
  button.click()
  button.removeEventListener('click', arrive)
  if (!arrived && Date.now() < until) setTimeout(replay, 50, [button, ...others], until)
  else setTimeout(replay, 0, others, until)
}
