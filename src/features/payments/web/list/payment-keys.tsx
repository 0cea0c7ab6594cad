/** The keyboard shortcuts of the desk. */
export function PaymentKeys() {
  return (
    <p className="payment-keys">
      <kbd className="kbd">J</kbd> <kbd className="kbd">K</kbd> next, previous <kbd className="kbd">1</kbd> to{' '}
      <kbd className="kbd">9</kbd> choose the decision <kbd className="kbd">Enter</kbd> confirm{' '}
      <kbd className="kbd">S</kbd> skip <kbd className="kbd">M</kbd> match by hand <kbd className="kbd">U</kbd> undo.
      Keys work while the list or the payment has the focus.
    </p>
  )
}
