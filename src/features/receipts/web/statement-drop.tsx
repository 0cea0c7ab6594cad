import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { UploadProgress } from '#web/ui/form/upload-progress.tsx'

interface Props {
  reading: boolean
  /** The percentage of the file that has been uploaded, from 0 to 100. */
  sentPercent: number
  fileName: string
  /** Why the last file was refused. */
  refusal: string | undefined
  onFile: (file: File) => Promise<void>
}

/** Accepts a statement by drag and drop or by file selection. */
export function StatementDrop({ reading, sentPercent, fileName, refusal, onFile }: Props) {
  return (
    <FileDrop
      accept=".csv,.tsv,.txt,.ofx,.qfx,.xml,.sta,.mt940,.940,text/csv"
      hint="CSV from Cash App, Venmo, PayPal or your bank; QFX, OFX, CAMT.053, MT940. Up to 5 MB and 50,000 lines."
      refusal={refusal}
      onFile={onFile}
      reading={
        reading ? (
          <UploadProgress sentPercent={sentPercent} fileName={fileName} label="Reading the statement">
            Reading <b>{fileName}</b> and comparing its lines with the payments and the open invoices…
          </UploadProgress>
        ) : undefined
      }
    />
  )
}
