import { useSuspenseQuery } from '@tanstack/react-query'
import { listDeviceCategories } from '#features/catalog/contract.ts'
import { DeviceGrid } from '#features/catalog/web/device-grid.tsx'
import { query } from '../data.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { AppDownloads } from './home/app-downloads.tsx'

export function DevicesPage() {
  const { data: categories } = useSuspenseQuery(query(listDeviceCategories))
  return (
    <section className="section">
      <div className="wrap">
        <PageHeader
          title="Supported Devices"
          lead="Watch on the television, on the phone and on the computer you already have. One account, as many screens at once as your plan has connections."
        />
        <h2 className="sr-only">Devices by kind</h2>
        <DeviceGrid categories={categories} />
        <AppDownloads />
      </div>
    </section>
  )
}
