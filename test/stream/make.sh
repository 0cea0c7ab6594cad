#!/bin/sh
# Makes the files of this folder with ffmpeg. They are committed, so tests need no ffmpeg.
set -eu
cd "$(dirname "$0")"
picture='testsrc=size=320x180:rate=25'
small='testsrc=size=160x90:rate=25'
tone='sine=frequency=440:sample_rate=44100'
tone48='sine=frequency=440:sample_rate=48000'
h264='-c:v libx264 -profile:v baseline -pix_fmt yuv420p -g 50 -keyint_min 50 -sc_threshold 0'
quiet='-hide_banner -loglevel error -y'

if [ "${1:-}" = all ]; then
  # Twelve seconds in six HLS segments
  ffmpeg $quiet -f lavfi -i "$picture" -f lavfi -i "$tone" -t 12 $h264 -b:v 90k -c:a aac -b:a 32k -ac 1 \
    -f hls -hls_time 2 -hls_list_size 0 -hls_segment_filename 'part-%d.mpegts' /dev/null
fi
# Six seconds with Dolby Digital sound
ffmpeg $quiet -f lavfi -i "$small" -f lavfi -i "$tone48" -t 6 $h264 -b:v 40k -c:a ac3 -b:a 64k -ac 1 -f mpegts ac3.mpegts
# Six seconds of HEVC
ffmpeg $quiet -f lavfi -i "$small" -f lavfi -i "$tone" -t 6 -c:v libx265 -x265-params log-level=none:keyint=50:min-keyint=50:scenecut=0 \
  -pix_fmt yuv420p -b:v 40k -c:a aac -b:a 32k -ac 1 -f mpegts hevc.mpegts
# Six seconds of sound without a picture
ffmpeg $quiet -f lavfi -i "$tone" -t 6 -c:a aac -b:a 32k -ac 1 -f mpegts sound.mpegts
# Open groups of pictures with B frames, in packets of 192 bytes
ffmpeg $quiet -f lavfi -i "$small" -f lavfi -i "$tone" -t 8 -c:v libx264 -profile:v main -pix_fmt yuv420p -g 50 -bf 2 \
  -x264-params open-gop=1:scenecut=0:keyint=50:min-keyint=50 -b:v 40k -c:a ac3 -b:a 32k -ac 1 -ar 48000 -mpegts_m2ts_mode 1 -f mpegts open-gop.m2ts
