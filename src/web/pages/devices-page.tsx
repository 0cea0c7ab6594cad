import { useSuspenseQuery } from '@tanstack/react-query'
import { listDeviceCategories } from '#features/catalog/contract.ts'
import { DeviceGrid } from '#features/catalog/web/device-grid.tsx'
import { query } from '../data.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { AppDownloads } from './home/app-downloads.tsx'

export function DevicesPage() {
  const { data: categories } = useSuspenseQuery(query(listDeviceCategories))
  return (
    <div className="wrap page">
      <PageHeader
        title="Supported Devices"
        lead="Watch on the TV, phone and computer you already own. One account. Your plan sets how many screens can play at once."
      />
      <h2 className="sr-only">Devices by type</h2>
      <DeviceGrid categories={categories} />
      <AppDownloads />
    </div>
  )
}
