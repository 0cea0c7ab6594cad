import { FileUp } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'

const UploadStatementDialog = lazy(() =>
  import('./upload-statement-dialog.tsx').then((module) => ({ default: module.UploadStatementDialog })),
)

/** A button that opens the dialog for uploading statements. */
export function UploadStatementButton() {
  const [opened, open] = useOpenDialog<true>()
  return (
    <>
      <Button variant="line" onClick={({ currentTarget }) => open(true, currentTarget)}>
        <FileUp size={18} />
        Upload Statement
      </Button>
      <Suspense>{opened && <UploadStatementDialog key={opened.openCount} returnTo={opened.returnTo} />}</Suspense>
    </>
  )
}
