/** The item of sessionStorage with all form drafts of this tab. */
export const draftSlot = 'drafts'

/** Removes all form drafts of this tab. Called by a logout; a separate module, because every page loads it. */
export function forgetDrafts(): void {
  try {
    sessionStorage.removeItem(draftSlot)
  } catch {
    // Some private windows deny storage: nothing is stored then.
  }
}
