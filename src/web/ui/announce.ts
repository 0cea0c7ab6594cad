export const liveRegionId = 'announcements'

/** Announces `text` through the polite live region of the page, also when the text is the same as before. */
export function announce(text: string): void {
  const region = document.getElementById(liveRegionId)
  if (!region) return
  // Screen readers announce a live region only when its text changes.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}
