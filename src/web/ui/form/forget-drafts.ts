/** The sessionStorage key of all form drafts of this tab. */
export const draftSlot = 'drafts'

/** Removes all form drafts of this tab. Called at logout. It is in a separate, small module because every page loads it. */
export function forgetDrafts(): void {
  try {
    sessionStorage.removeItem(draftSlot)
  } catch {
    // Some private windows deny storage: nothing is stored then.
  }
}
