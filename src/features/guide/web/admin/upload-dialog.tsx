import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import type { GuideSource } from '../../admin-contract.ts'
import { sizeText } from '../../source-rules.ts'
import { useGuideUpload } from './use-guide-upload.ts'

/** Uploads an XMLTV file to a source. Closing the dialog cancels the upload. */
export function UploadDialog({ source, returnTo }: { source: GuideSource; returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const { send, progress, refusal } = useGuideUpload(source, () => {
    setOpen(false)
    toast({ title: 'File uploaded', description: `${source.name} will be read shortly.` })
  })
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Upload to ${source.name}`}
      description="The file replaces the listings of this source for the time that it covers."
      size="form"
      keepOnOutsidePress={progress !== undefined}
      returnTo={returnTo}
      footer={
        <Button variant="line" onClick={() => setOpen(false)}>
          {progress ? 'Cancel Upload' : 'Close'}
        </Button>
      }
    >
      {open && (
        <FileDrop
          accept=".xml,.gz,.xmltv,application/xml,application/gzip"
          hint="XMLTV, optionally compressed with gzip. Up to 600 MB."
          refusal={refusal}
          onFile={send}
          reading={
            progress && (
              <p role="status" className="grid justify-items-center gap-3">
                <span>
                  {sizeText(progress.sent)} of {sizeText(progress.total)} uploaded
                </span>
                <progress aria-label="Uploading" value={progress.sent} max={progress.total} />
              </p>
            )
          }
        />
      )}
    </Dialog>
  )
}
