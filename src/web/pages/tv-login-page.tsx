import { lazy, Suspense } from 'react'
import { AuthFrame } from '#features/accounts/web/auth-frame.tsx'
import { useLinkToken } from '#features/accounts/web/use-link-token.ts'
import { openLineLink } from '#features/provisioning/contract.ts'
import { usedLinkMessage } from '#features/provisioning/rules.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '../data.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Note } from '../ui/note.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const LineLoginFacts = lazy(() =>
  import('#features/provisioning/web/line-login-facts.tsx').then((module) => ({ default: module.LineLoginFacts })),
)

/** Shows the TV login of a scanned one-time link. */
export function TvLoginPage() {
  const token = useLinkToken('/tv-login')
  return (
    <AuthFrame title="Your TV login" lead="For the app on this device. Each code works once.">
      {token === undefined && <Skeleton className="h-24" />}
      {token === null && <Note tone="bad">{usedLinkMessage}</Note>}
      {token && <OpenedLogin key={token} token={token} />}
    </AuthFrame>
  )
}

/** Opens the link when a button is pressed, so that a preview of the link does not use it up. */
function OpenedLogin({ token }: { token: string }) {
  const open = useSend(openLineLink)
  if (open.data)
    return (
      <div className="grid gap-5">
        <Suspense fallback={<Skeleton className="h-72" />}>
          <LineLoginFacts login={open.data} />
        </Suspense>
        <Note>This login will not be shown again after you leave this page.</Note>
        <div>
          <ButtonLink to="/setup">Open Setup Guide</ButtonLink>
        </div>
      </div>
    )
  return (
    <div className="grid gap-5">
      {open.error && (
        <Note tone="bad" role="alert">
          {messageOf(open.error)}
        </Note>
      )}
      <div>
        <Button pending={open.isPending} onClick={() => open.mutate({ body: { token } })}>
          Show Login
        </Button>
      </div>
    </div>
  )
}
