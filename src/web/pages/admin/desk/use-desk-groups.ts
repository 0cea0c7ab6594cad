import { useMay } from '#web/ui/permission/use-may.ts'
import { type DeskGroup, deskGroups } from './desk-pages.ts'

/** Returns the navigation with only the pages that the user may see. */
export function useDeskGroups(): readonly DeskGroup[] {
  const may = useMay()
  return deskGroups
    .map((group) => ({ ...group, pages: group.pages.filter(({ needs }) => may(needs)) }))
    .filter(({ pages }) => pages.length > 0)
}
