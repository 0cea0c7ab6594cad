// The passwords that are tried first, in lower case; shorter ones than six characters are refused anyway.
const listed = new Set(
  `
000000 0000000 00000000 000000000 0000000000 010203 01020304 0123456789 020202 098765 0987654321 101010 10101010 102030 10203040 111111 1111111
11111111 111111111 1111111111 112233 11223344 1122334455 121212 12121212 123123 123123123 1231231234 123321 1234321 12344321 123454321 123456 1234567
12345678 123456789 1234567890 12345678910 123456789a 123456a 123456ab 123456abc 123456b 123456c 123456d 123456q 123456s 123456z 12345a 12345abc 12345q
12345qwert 1234abcd 1234qwer 123654 123654789 123abc 123qwe 123qweasd 131313 141414 147258 147258369 147852 147852369 151515 159357 159753 159951
171717 181818 191919 1a2b3c 1a2b3c4d 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qwerty 202020 212121 222222
22222222 232323 242424 252525 2wsx3edc 2wsxzaq1 333333 3edc4rfv 420420 444444 456456 456789 555555 5555555 55555555 654321 666666 66666666 696969
741852 741852963 753951 7654321 777777 7777777 77777777 789456 789456123 789789 852456 87654321 888888 88888888 951753 963852 963852741 987654321
9876543210 999999 99999999 a12345 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 a1s2d3f4 aa123456 aa12345678 aaa111 aaaaaa aaaaaaa aaaaaaaa
abc123 abc1234 abc12345 abc123456 abcabc abcd123 abcd1234 abcd12345 abcdef abcdefg abcdefgh access access14 admin1 admin12 admin123 admin1234
admin12345 admin123456 admin2023 admin2024 admin2025 admin2026 adminadmin administrator administrator1 alexander amanda andrea andrew angel1 angela
angels anthony apple1 apples april1 arsenal asd123 asdasd asdasd123 asdasdasd asdf1234 asdfasdf asdfgh asdfghj asdfghjk asdfghjkl asdfjkl asdqwe123
ashley ashley1 august austin azerty azerty123 azertyuiop babygirl babygirl1 badboy bailey banana barbie barcelona baseball baseball1 basketball batman
batman1 beautiful benjamin bigdaddy biteme blahblah blessed blessed1 blink182 booboo boomer brandon brandon1 buddy1 bulldog buster butter butterfly
butthead camaro canada carlos carolina casper celtic changeme changeme1 changeme123 channel1 channels charlie charlie1 cheese chelsea chelsea1 chester
chicago chicken chocolate christ christian christopher cocacola coffee compaq computer computer1 cookie cookie1 cooper corvette cowboy cowboys
cowboys1 crystal daddy1 dakota dallas daniel daniel1 danielle david1 december default default1 dennis diablo diamond dolphin dolphins donald dragon
dragon1 dragon123 eagles eagles1 edward elephant elizabeth eminem family family1 fender ferrari fireman flower flower1 flowers footbal1 football
football1 forever forever1 freedom freedom1 friend friends friends1 fuckyou fuckyou1 gabriel gandalf gemini george george1 giants ginger golden
golden1 golfer google google1 google123 grace1 green1 guitar guitar1 hannah hannah1 harley harley1 heather hello1 hello12 hello123 hello1234
hellohello hellokitty helpme hockey hockey1 horses hotdog hunter hunter1 hunter2 iceman iloveu iloveu1 iloveu2 iloveyou iloveyou1 iloveyou2 iloveyou3
internet iptv123 iptv1234 iptvpass isabella jackson jasmine jasmine1 jasper jennifer jennifer1 jessica jessica1 jesus1 jesuschrist johnny jonathan
jordan jordan1 jordan23 joseph joshua joshua1 junior justin justin1 killer killer1 klaster knight kristina lakers lakers24 lauren legend letmein
letmein1 letmein123 letmein2 liverpool liverpool1 lol123 london london1 looking love12 love123 love1234 lovely lovely1 loveme loveme1 lover1 loverboy
loveyou lucky1 lucky7 macbook madison maggie maggie1 manager marina marine marlboro martin marvin master master1 master123 matrix matthew matthew1
maverick maxwell melissa mercedes merlin metallica michael michael1 michelle michelle1 mickey midnight miller minecraft minnie monday money1 monica
monkey monkey1 monkey12 monkey123 monster monster1 morgan mother movies1 movies123 mustang mustang1 mylove mynoob naruto naruto1 nascar natasha nathan
nicholas nicole nicole1 nirvana nissan nothing november number1 october oliver olivia orange orange1 p@55w0rd p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword
p@ssword1 pa55w0rd pa55word pakistan panther panties parker pass123 pass1234 pass12345 passpass passw0rd passw0rd! passw0rd1 passwd password password!
password0 password01 password1 password1! password11 password12 password123 password123! password1234 password12345 password2 password2020
password2021 password2022 password2023 password2024 password2025 password2026 password3 password7 password9 password99 passwordpassword patrick
peaches peanut pepper pepper1 phoenix pikachu player please please1 pokemon pokemon1 pokemon123 poohbear popcorn porsche power1 prince princess
princess1 princess12 princess123 private purple purple1 pussycat q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q2w3e4r5 qazqaz qazwsx qazwsx1 qazwsx123
qazwsxedc qazwsxedc123 qqqqqq qqww1122 qwaszx qwe123 qwe123456 qweasd qweasd123 qweasdzxc qweasdzxc123 qweqwe qweqwe123 qwer1234 qwer12345 qwerasdf
qwerqwer qwert1 qwert123 qwert12345 qwerty qwerty! qwerty1 qwerty1! qwerty11 qwerty12 qwerty123 qwerty123! qwerty1234 qwerty12345 qwerty123456 qwerty2
qwerty7 qwerty78 qwertyu qwertyui qwertyuiop qwertyuiop1 qwertz qwertzuiop rabbit rachel raiders raiders1 rainbow rainbow1 ranger rangers rangers1
realmadrid rebecca redsox redsox1 richard robert robert1 rockstar rockyou ronaldo ronaldo7 root123 rootroot rosebud samantha samantha1 samsung
samsung1 samuel santiago sarah1 saturn saucetv saucetv1 saucetv123 scooby scooter scorpio scorpion sebastian secret secret1 secret123 september
sexy123 shadow shadow1 shadow123 shannon shelby sierra silver silver1 simple single skippy skyline slayer slipknot smokey snickers snoopy snowball
soccer soccer1 soccer10 soccer12 sophie spider spiderman spiderman1 spongebob spongebob1 starwars starwars1 steelers stella steven streaming success
success1 summer summer1 summer123 summer2023 summer2024 summer2025 summer2026 sunshine sunshine1 sunshine123 superman superman1 superstar support
support1 surfer suzuki sweetheart sweety swordfish system taylor taylor1 television television1 tennis teresa test12 test123 test123! test1234
test12345 test123456 tester tester1 testing testing1 testing123 testpass testpass1 testpass123 testtest thomas thomas1 thuglife thunder thunder1
thx1138 tiffany tigers tigers1 tigger tigger1 tinkerbell tomcat toyota trinity trustno1 turtle twilight tyler1 united usa123 user123 user1234 vanessa
veronica victor victoria victory viking virginia voodoo walter warrior welcome welcome! welcome1 welcome1! welcome12 welcome123 welcome123!
welcome1234 welcome2 welcome2024 welcome2025 welcome2026 whatever whatever1 william william1 williams wilson winner winner1 winston winter winter1
winter2024 winter2025 winter2026 wizard wolf123 x4ivygd xavier xxxxxx xxxxxxxx yamaha yankee yankees yankees1 yellow yellow1 zaq12wsx zaq1xsw2
zaq1zaq1 zaqwsx zaqxsw zidane zxc123 zxcasd zxcvb1 zxcvbn zxcvbn1 zxcvbnm zxcvbnm1 zxcvbnm123 zxczxc zzzzzz
`
    .trim()
    .split(/\s+/),
)

/** Whether somebody who knows a person's name and address would guess this password at once. */
export function isGuessablePassword(password: string, { username, email }: { username: string; email: string }): boolean {
  const typed = password.toLowerCase()
  const mailbox = email.toLowerCase().split('@')[0]
  const own = [username.toLowerCase(), email.toLowerCase(), mailbox]
  return listed.has(typed) || own.includes(typed) || (bare(typed) !== '' && own.map(bare).includes(bare(typed))) || new Set(typed).size === 1
}

/** Without the year or the mark that makes a name look like a password. */
const bare = (text = ''): string => text.replace(/[\d!.]+$/, '')
