// Cities with a top-league side. Team channels are named after the city and a plain word, never after a club or its marks.

const list = (text: string): string[] => text.split(',').map((city) => city.trim())

export const basketballCities = list(`
  Atlanta, Boston, Brooklyn, Charlotte, Chicago, Cleveland, Dallas, Denver, Detroit, Houston, Indianapolis, Inglewood, Los Angeles, Memphis, Miami,
  Milwaukee, Minneapolis, New Orleans, New York, Oklahoma City, Orlando, Philadelphia, Phoenix, Portland, Sacramento, Salt Lake City, San Antonio,
  San Francisco, Toronto, Washington`)

export const footballCities = list(`
  Atlanta, Baltimore, Buffalo, Charlotte, Chicago, Cincinnati, Cleveland, Dallas, Denver, Detroit, East Rutherford, Foxborough, Green Bay, Houston,
  Indianapolis, Inglewood, Jacksonville, Kansas City, Las Vegas, Los Angeles, Miami, Minneapolis, Nashville, New Orleans, New York, Philadelphia,
  Phoenix, Pittsburgh, San Francisco, Seattle, Tampa, Washington`)

export const hockeyCities = list(`
  Anaheim, Boston, Buffalo, Calgary, Chicago, Columbus, Dallas, Denver, Detroit, Edmonton, Elmont, Las Vegas, Los Angeles, Miami, Montreal, Nashville,
  Newark, New York, Ottawa, Philadelphia, Pittsburgh, Raleigh, Saint Louis, Saint Paul, Salt Lake City, San Jose, Seattle, Tampa, Toronto, Vancouver,
  Washington, Winnipeg`)

export const soccerCities = list(`
  Amsterdam, Athens, Berlin, Brussels, Buenos Aires, Glasgow, Istanbul, Lisbon, London, Madrid, Manchester, Mexico City, Munich, Naples, Prague,
  Rio de Janeiro, Rome, Rotterdam, Turin, Vienna`)
