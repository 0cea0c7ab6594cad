import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

interface Props {
  reading: boolean
  fileName: string
  /** Why the last file was refused. */
  refusal: string | undefined
  onFile: (file: File) => Promise<void>
}

/** Takes a statement by drop or by selection. */
export function StatementDrop({ reading, fileName, refusal, onFile }: Props) {
  return (
    <FileDrop
      accept=".csv,.tsv,.txt,.ofx,.qfx,.xml,.sta,.mt940,.940,text/csv"
      hint="CSV from Cash App, Venmo, PayPal or your bank; QFX, OFX, CAMT.053, MT940. Up to 5 MB and 50,000 lines."
      refusal={refusal}
      onFile={onFile}
      reading={
        reading ? (
          <p role="status" className="grid justify-items-center gap-3">
            <Spinner />
            <span>
              Reading <b>{fileName}</b> and comparing its lines with the payments and the open invoices…
            </span>
            <progress aria-label="Reading the statement" />
          </p>
        ) : undefined
      }
    />
  )
}
