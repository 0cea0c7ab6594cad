import { Card } from '#web/ui/card.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { UploadProgress } from '#web/ui/form/upload-progress.tsx'
import { ImportColumns } from './import-columns.tsx'
import { useImportUpload } from './use-import-upload.ts'

/** Uploads a file of customers, which is then checked. `onChecked` gets the id of the new run. */
export function ImportUpload({ onChecked }: { onChecked: (runId: number) => void }) {
  const upload = useImportUpload(onChecked)
  return (
    <Card title="Upload customers" titleId="import-upload">
      {upload.table ? (
        <ImportColumns
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
          <p className="max-w-160 text-fg-2">
            Imports the customers of another system with their credit, paid time and lines. At first the file is only
            checked: you see what becomes of each row before an account is created. No email is sent.
          </p>
          <FileDrop
            accept=".csv,.tsv,.txt,text/csv"
            hint="CSV with headings in the first line. Up to 24 MB and 60,000 customers."
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
