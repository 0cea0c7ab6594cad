type Credentials = { username: string; password: string }

/** Returns the URLs to enter in a TV app. The playlist and guide URLs contain the credentials. */
export function appAddresses(publicUrl: string, { username, password }: Credentials) {
  const query = new URLSearchParams({ username, password }).toString()
  return {
    server: publicUrl,
    playlistUrl: `${publicUrl}/get.php?${query}&type=m3u_plus&output=m3u8`,
    guideUrl: `${publicUrl}/xmltv.php?${query}`,
  }
}
