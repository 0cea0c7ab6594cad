import { Skeleton } from '../skeleton.tsx'

const widths = ['w-24', 'w-32', 'w-20', 'w-28']
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Placeholder rows with the final height, until the first response. */
export function DataTableSkeleton({ rows, columns }: { rows: number; columns: number }) {
  return (
    <tbody aria-hidden="true">
      {upTo(rows).map((row) => (
        <tr key={row}>
          {upTo(columns).map((cell) => (
            <td key={cell}>
              <Skeleton className={`h-4 ${widths[(row + cell) % widths.length]}`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
