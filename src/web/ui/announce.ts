export const liveRegionId = 'announcements'

/** Says `text` through the page's one polite live region, also when it is the same text again. */
export function announce(text: string): void {
  const region = document.getElementById(liveRegionId)
  if (!region) return
  // Assistive technology stays silent when the text does not change.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}
