set encoding utf8
set terminal svg enhanced fixed size 900,624 background rgb '#ffffff' font 'sans-serif,16'
unset key
set clip one
set clip two
set errorbars 0
set pointintervalbox 1
set border 3 lw 1 lc rgb '#777777'
set grid xtics ytics lt 1 lw 1 lc rgb '#e6e6e6' back
set label 'Rate against time at 10 bits per key' at screen 0.02667,0.95373 left font 'sans-serif:Bold,22' textcolor rgb '#222222'
set label 'false-positive rate p' at screen 0.02667,0.84254 left font 'sans-serif,17' textcolor rgb '#222222'
set label 'time per query [ns]' at screen 0.52770,0.08400 center font 'sans-serif,17' textcolor rgb '#222222'
set label 'n = 10\^7 keys. Data: results/throughput.json.' at screen 0.02667,0.03761 left font 'sans-serif,14' textcolor rgb '#555555'
set arrow from screen 0.04333,0.91147 to screen 0.04333,0.87939 nohead lw 1.6 lc rgb '#0072b2'
set label '' at screen 0.04333,0.89543 point pt 7 ps 1.1 lw 1.6 lc rgb '#0072b2'
set label 'measured, 95 % interval' at screen 0.06889,0.89543 left font 'sans-serif,17' textcolor rgb '#222222' front
set multiplot
set lmargin at screen 0.09095
set rmargin at screen 0.96444
set tmargin at screen 0.79848
set bmargin at screen 0.15694
unset logscale x
set xrange [2.181:9.919]
set logscale y
set yrange [0.00199999998:0.0500000005]
set xtics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0,0.35 ('3' 3, '4' 4, '5' 5, '6' 6, '7' 7, '8' 8, '9' 9)
set ytics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0.7,0 ('0.002' 0.002, '0.005' 0.005, '0.01' 0.01, '0.02' 0.02, '0.05' 0.05, '' 0.003 1, '' 0.004 1, '' 0.006 1, '' 0.007 1, '' 0.008 1, '' 0.009 1, '' 0.03 1, '' 0.04 1)
set label 'split\_block' at screen 0.20691,0.52218 left font 'sans-serif,15' textcolor rgb '#555555' front
set label 'blocked' at screen 0.22949,0.48743 left font 'sans-serif,15' textcolor rgb '#555555' front
set label 'register\_blocked' at screen 0.12789,0.72161 left font 'sans-serif,15' textcolor rgb '#555555' front
set label 'standard' at screen 0.92750,0.43815 right font 'sans-serif,15' textcolor rgb '#555555' front
set label 'fuse' at screen 0.74875,0.29004 left font 'sans-serif,15' textcolor rgb '#555555' front
$data1 << END
3.1 0.0125 0.012 0.013
3.3 0.0105 0.0102 0.0108
2.4 0.034 0.0333 0.0347
9.7 0.0082 0.008 0.0084
7.9 0.0039 0.0037 0.0041
END
plot $data1 with yerrorbars pt 7 ps 1.0 lw 1.6 lc rgb '#0072b2' title 'measured, 95 % interval'
unset label
unset arrow
unset object
unset multiplot
