declare global {
  interface Window {
    /** Stops recording and returns the buttons that were pressed, in order. */
    takeClicks?: () => HTMLButtonElement[]
  }
}

/**
 * Runs in the head and records clicks on buttons until the page is hydrated. Links, form controls and disclosures work without scripts. The events are stopped
 * because React replays some of them itself, and those clicks would otherwise be handled twice.
 */
export const earlyClicksScript =
  '(function(){var kept=[];function keep(e){var b=e.target.closest&&e.target.closest("button");if(b){e.preventDefault();e.stopImmediatePropagation();kept.push(b)}}' +
  'addEventListener("click",keep,true);window.takeClicks=function(){removeEventListener("click",keep,true);delete window.takeClicks;return kept}})()'

/** Clicks the recorded buttons in order. */
export function replayClicks(): void {
  const kept = window.takeClicks?.() ?? []
  if (kept.length > 0) replay(kept, Date.now() + 10_000)
}

/** React stops clicks on parts that are not hydrated yet. Such a click never reaches the button and is repeated until `until` (epoch milliseconds). */
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
