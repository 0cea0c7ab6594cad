import { useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { UploadProgress } from '#web/ui/form/upload-progress.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import type { ImportKind } from '../rules.ts'
import { ImportColumns } from './import-columns.tsx'
import { InvoiceColumns } from './invoice-columns.tsx'
import { useImportUpload } from './use-import-upload.ts'

const kinds = [
  { value: 'customers', label: 'Customers' },
  { value: 'invoices', label: 'Invoices' },
] as const
const texts: Record<ImportKind, { title: string; text: string; hint: string }> = {
  customers: {
    title: 'Upload customers',
    text: 'Imports customers from another system with their credit, paid time and lines. First, the file is only checked: you see the outcome of each row before any account is created. No email is sent.',
    hint: 'CSV with headings in the first row. Up to 24 MB and 60,000 customers.',
  },
  invoices: {
    title: 'Upload invoices',
    text: 'Imports the old invoices of existing customers. They are history: customers can read them, and no figure, credit or subscription changes. First, the file is only checked.',
    hint: 'CSV with headings in the first row. Up to 24 MB and 150,000 invoices.',
  },
}

/** Uploads a file of customers or of their invoices, which is then checked. `onChecked` gets the id of the new run. */
export function ImportUpload({ onChecked }: { onChecked: (runId: number) => void }) {
  const [kind, setKind] = useState<ImportKind>('customers')
  const upload = useImportUpload(kind, onChecked)
  const { title, text, hint } = texts[kind]
  const Columns = kind === 'invoices' ? InvoiceColumns : ImportColumns
  return (
    <Card title={title} titleId="import-upload">
      {upload.table ? (
        <Columns
          key={upload.table.columns.join('\n')}
          fileName={upload.fileName}
          table={upload.table}
          refusal={upload.refusal}
          pending={upload.isReading}
          onSubmit={upload.nameColumns}
          onCancel={upload.restart}
        />
      ) : (
        <div className="grid gap-4">
          <Segmented
            legend="What the file contains"
            options={kinds.map((option) => ({ ...option, disabled: upload.isReading }))}
            value={kind}
            onChange={(next) => {
              setKind(next)
              upload.restart()
            }}
          />
          <p className="max-w-160 text-fg-2">{text}</p>
          <FileDrop
            accept=".csv,.tsv,.txt,text/csv"
            hint={hint}
            refusal={upload.refusal}
            onFile={upload.choose}
            reading={
              upload.isReading ? (
                <UploadProgress sentPercent={upload.sentPercent} fileName={upload.fileName} label="Checking the file">
                  Checking <b>{upload.fileName}</b>…
                </UploadProgress>
              ) : undefined
            }
          />
        </div>
      )}
    </Card>
  )
}
