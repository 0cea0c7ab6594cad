import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { toast } from '#web/ui/toast/toast.ts'

const copied = () => toast({ title: 'Copied!', description: 'Referral code copied to clipboard' })

/** The referral code with a copy button. */
export function ReferralCode({ code }: { code: string }) {
  return (
    <div className="flex flex-wrap gap-2">
      <span className="num flex min-h-11 min-w-0 flex-1 items-center rounded-field border border-dashed border-line-strong px-3.5 py-2 font-semibold tracking-[0.06em]">
        {code}
      </span>
      <CopyButton text={code} label="Copy Code" variant="ink" onCopied={copied} />
    </div>
  )
}
