/**
 * A name that the open tabs of this browser share, so that they count as one visitor. The tabs agree on it among themselves
 * (the smallest wins); it is stored nowhere and gone with the last tab. `onChange` is called when another name is agreed on.
 */
export function browserMark(onChange: () => void): () => string {
  let mark = Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(16).padStart(8, '0')).join('')
  const tabs = new BroadcastChannel('tabs')
  tabs.onmessage = ({ data }) => {
    if (data < mark) {
      mark = data
      onChange()
    } else if (data > mark) tabs.postMessage(mark)
  }
  tabs.postMessage(mark)
  return () => mark
}
