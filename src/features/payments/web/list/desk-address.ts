import type { DeskTab } from '../../rules.ts'

/** What the address of the desk names. */
export interface DeskAddress {
  tab?: DeskTab
  payment?: number | undefined
  search?: string | undefined
  /** The key of a group of equal payments. */
  alike?: string | undefined
}

/** The parameters of the next address: search and group stay unless they are named. Another tab has no group, and a search is of all payments. */
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
