import type { DeskTab } from '../../rules.ts'

/** The state of the desk that its URL contains. */
export interface DeskUrlState {
  tab?: DeskTab
  payment?: number | undefined
  search?: string | undefined
  /** The key of a group of identical payments. */
  alike?: string | undefined
}

/**
 * Returns the query parameters of the next URL. The search and the group of `current` are kept unless `next` contains them. A tab or a search in `next` removes
 * the group.
 */
export function deskSearchParams(
  current: DeskUrlState & { tab: DeskTab },
  next: DeskUrlState,
): Record<string, string | number> {
  const tab = next.tab ?? current.tab
  const search = 'search' in next ? next.search : current.search
  const alike = 'alike' in next ? next.alike : next.tab || next.search ? undefined : current.alike
  return {
    ...(tab !== 'waiting' && { tab }),
    ...(next.payment && { payment: next.payment }),
    ...(search && { search }),
    ...(alike && { alike }),
  }
}
