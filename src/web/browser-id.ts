/**
 * Returns a getter for an id that all open tabs of this browser share, so that they count as one visitor. The tabs exchange random ids over a
 * BroadcastChannel and keep the smallest. The id is never stored: it is lost when the last tab closes. Calls `onChange` when the id changes.
 */
export function browserId(onChange: () => void): () => string {
  let id = Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(16).padStart(8, '0')).join('')
  const tabs = new BroadcastChannel('tabs')
  tabs.onmessage = ({ data }) => {
    if (data < id) {
      id = data
      onChange()
    } else if (data > id) tabs.postMessage(id)
  }
  tabs.postMessage(id)
  return () => id
}
