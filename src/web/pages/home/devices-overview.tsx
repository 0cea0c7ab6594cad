import { useSuspenseQuery } from '@tanstack/react-query'
import { listDeviceCategories } from '#features/catalog/contract.ts'
import { DeviceGrid } from '#features/catalog/web/device-grid.tsx'
import { query } from '../../data.ts'
import { AppDownloads } from './app-downloads.tsx'

const devicesShown = 3

export function DevicesOverview() {
  const { data: categories } = useSuspenseQuery(query(listDeviceCategories))
  return (
    <>
      <DeviceGrid categories={categories} max={devicesShown} />
      <AppDownloads />
    </>
  )
}
