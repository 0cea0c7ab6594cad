import { Button } from '#web/ui/button/button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { TvLoading } from './tv-loading.tsx'
import { usePairing } from './use-pairing.ts'

/** The pairing code that a TV shows until it is paired, and a QR code with the pairing URL. */
export function TvCode() {
  const { state, restart } = usePairing()
  if (state.phase === 'loading') return <TvLoading label="Loading a code" />
  if (state.phase === 'stopped')
    return (
      <div className="tv-message" role="alert">
        <h2>Pair this TV</h2>
        <p>{state.message || 'The code has expired.'}</p>
        <Button size="lg" autoFocus onClick={restart}>
          Show a New Code
        </Button>
      </div>
    )
  const { userCode, verificationUri, verificationUriComplete } = state.code
  return (
    <div className="tv-code">
      <div>
        <h2>Pair this TV</h2>
        <p>On your phone or computer, open</p>
        <p className="tv-address">{verificationUri.replace(/^https?:\/\//, '')}</p>
        <p>and enter this code:</p>
        <output className="tv-user-code num" aria-label={`Code ${[...userCode].join(' ')}`}>
          {userCode}
        </output>
        <p>The TV continues automatically.</p>
      </div>
      <div className="tv-qr">
        <QrCode text={verificationUriComplete} label="QR code of the address with the code" />
        <p>or scan</p>
      </div>
    </div>
  )
}
