import { Share2 } from 'lucide-react'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/** Opens the device's share sheet, or copies the message if there is none. */
export function ShareButton({ message }: { message: string }) {
  const share = async () => {
    if (typeof navigator.share === 'function') {
      // Closing the sheet rejects the promise but is not an error.
      await navigator.share({ text: message }).catch(() => undefined)
      return
    }
    try {
      await navigator.clipboard.writeText(message)
      toast({ title: 'Copied!', description: 'Invitation copied to clipboard' })
    } catch {
      announce('Your browser blocks copying. Please select the link and copy it manually.')
    }
  }
  return (
    <Button variant="line" onClick={share}>
      <Share2 size={18} />
      Share
    </Button>
  )
}
