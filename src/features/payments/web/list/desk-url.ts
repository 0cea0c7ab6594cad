import type { DeskTab } from '../../rules.ts'

/** The state that the URL of the desk contains. */
export interface DeskAddress {
  tab?: DeskTab
  payment?: number | undefined
  search?: string | undefined
  /** The key of a group of equal payments. */
  alike?: string | undefined
}

/** The parameters of the next URL: search and group stay unless `next` contains them. A tab or a search in `next` removes the group. */
export function deskAddress(now: DeskAddress & { tab: DeskTab }, next: DeskAddress): Record<string, string | number> {
  const tab = next.tab ?? now.tab
  const search = 'search' in next ? next.search : now.search
  const alike = 'alike' in next ? next.alike : next.tab || next.search ? undefined : now.alike
  return {
    ...(tab !== 'waiting' && { tab }),
    ...(next.payment && { payment: next.payment }),
    ...(search && { search }),
    ...(alike && { alike }),
  }
}
