import { useNavigate, useSearch } from '@tanstack/react-router'
import { ImportHistory } from './import-history.tsx'
import { ImportRunPanel } from './import-run-panel.tsx'
import { ImportUpload } from './import-upload.tsx'

/** The import of customers and of their earlier invoices. The id of the open run is in the URL. */
export function ImportSection() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = (run: number | undefined) =>
    void navigate({ to: '/admin/import', search: { run }, replace: run === undefined })
  const runId = Number(address.run)
  return (
    <div className="grid gap-6">
      {Number.isInteger(runId) && runId > 0 ? (
        <ImportRunPanel key={runId} runId={runId} onClose={() => open(undefined)} />
      ) : (
        <ImportUpload onChecked={open} />
      )}
      <ImportHistory onOpen={open} />
    </div>
  )
}
