import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { getBrand } from '../admin-contract.ts'
import { BrandEditor } from './brand-editor.tsx'

/** The Brand section of the settings: edits a draft with a live preview, and publishes it. */
export function BrandStudio() {
  const brand = useQuery(query(getBrand))
  if (brand.data) return <BrandEditor stored={brand.data} />
  return (
    <Card title="Brand">
      {brand.error ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(brand.error)}
          pending={brand.isFetching}
          onRetry={() => void brand.refetch()}
        />
      ) : (
        <div className="grid gap-6" aria-busy="true">
          <span className="sr-only">Loading</span>
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-24 w-full" />
        </div>
      )}
    </Card>
  )
}
