import { Share2 } from 'lucide-react'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/** Opens the device's share sheet; where there is none, copies the message. */
export function ShareButton({ message }: { message: string }) {
  const share = async () => {
    if (typeof navigator.share === 'function') {
      // Closing the sheet rejects too, and is no failure.
      await navigator.share({ text: message }).catch(() => undefined)
      return
    }
    try {
      await navigator.clipboard.writeText(message)
      toast({ title: 'Copied!', description: 'Invitation copied to clipboard' })
    } catch {
      announce('Copying is blocked by your browser. Please select the link and copy it yourself.')
    }
  }
  return (
    <Button variant="line" onClick={share}>
      <Share2 size={18} />
      Share
    </Button>
  )
}
