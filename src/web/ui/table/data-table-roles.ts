/** Below 640 px the parts are laid out as blocks, and `display` takes their table semantics away: every part says its role itself. */
export const roles = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
