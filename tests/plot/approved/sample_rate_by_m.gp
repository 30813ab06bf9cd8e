set encoding utf8
set terminal svg enhanced fixed size 900,650 background rgb '#ffffff' font 'sans-serif,16'
unset key
set clip one
set clip two
set errorbars 0
set pointintervalbox 1
set border 3 lw 1 lc rgb '#777777'
set grid xtics ytics lt 1 lw 1 lc rgb '#e6e6e6' back
set label 'How large must the filter be for a given rate?' at screen 0.02667,0.95565 left font 'sans-serif:Bold,22' textcolor rgb '#222222'
set label 'false-positive rate p' at screen 0.02667,0.80757 left font 'sans-serif,17' textcolor rgb '#222222'
set label 'filter size m [bits]' at screen 0.52064,0.08051 center font 'sans-serif,17' textcolor rgb '#222222'
set label 'n = 100 000 keys, best k for every m. Data: results/fpr\_vs\_m.json.' at screen 0.02667,0.03605 left font 'sans-serif,14' textcolor rgb '#555555'
set label '' at screen 0.04333,0.89977 point pt 7 ps 1.1 lw 1.6 lc rgb '#0072b2'
set label 'standard' at screen 0.06889,0.89977 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.18195,0.89977 to screen 0.21528,0.89977 nohead lw 1.8 dt (4,5) lc rgb '#767676'
set label 'information bound' at screen 0.22417,0.89977 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.42801,0.89977 to screen 0.46134,0.89977 nohead lw 1.8 dt solid lc rgb '#555555'
set label 'exact rate' at screen 0.47023,0.89977 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.61242,0.91514 to screen 0.61242,0.88440 nohead lw 1.6 lc rgb '#555555'
set label '' at screen 0.61242,0.89977 point pt 7 ps 1.1 lw 1.6 lc rgb '#555555'
set label 'measured, 95 % interval' at screen 0.63798,0.89977 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.04333,0.87364 to screen 0.04333,0.84289 head empty size screen 0.011,25 lw 1.6 lc rgb '#555555'
set arrow from screen 0.03778,0.87364 to screen 0.04889,0.87364 nohead lw 1.6 lc rgb '#555555'
set label 'no hit: upper limit of the interval' at screen 0.06889,0.85826 left font 'sans-serif,17' textcolor rgb '#222222' front
set multiplot
set lmargin at screen 0.07684
set rmargin at screen 0.96444
set tmargin at screen 0.76533
set bmargin at screen 0.15042
set logscale x
set xrange [184037.528:3477551.59]
set logscale y
set yrange [1.99999998e-07:0.500000005]
set xtics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0,0.35 ('200 000' 200000, '500 000' 500000, '1 000 000' 1000000, '2 000 000' 2000000, '' 300000 1, '' 400000 1, '' 600000 1, '' 700000 1, '' 800000 1, '' 900000 1, '' 3000000 1)
set ytics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0.7,0 ('10^{-6}' 1e-06, '10^{-5}' 1e-05, '10^{-4}' 0.0001, '10^{-3}' 0.001, '10^{-2}' 0.01, '10^{-1}' 0.1, '' 2e-07 1, '' 3e-07 1, '' 4e-07 1, '' 5e-07 1, '' 6e-07 1, '' 7e-07 1, '' 8e-07 1, '' 9e-07 1, '' 2e-06 1, '' 3e-06 1, '' 4e-06 1, '' 5e-06 1, '' 6e-06 1, '' 7e-06 1, '' 8e-06 1, '' 9e-06 1, '' 2e-05 1, '' 3e-05 1, '' 4e-05 1, '' 5e-05 1, '' 6e-05 1, '' 7e-05 1, '' 8e-05 1, '' 9e-05 1, '' 0.0002 1, '' 0.0003 1, '' 0.0004 1, '' 0.0005 1, '' 0.0006 1, '' 0.0007 1, '' 0.0008 1, '' 0.0009 1, '' 0.002 1, '' 0.003 1, '' 0.004 1, '' 0.005 1, '' 0.006 1, '' 0.007 1, '' 0.008 1, '' 0.009 1, '' 0.02 1, '' 0.03 1, '' 0.04 1, '' 0.05 1, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '' 0.2 1, '' 0.3 1, '' 0.4 1, '' 0.5 1)
set arrow from screen 0.07684,0.60204 to screen 0.96444,0.60204 nohead lw 1.4 dt (7,5) lc rgb '#555555' back
set label 'target 1 %' at screen 0.86857,0.61915 left font 'sans-serif,15' textcolor rgb '#555555' front
$data1 << END
200000 0.25
251984.21 0.174362041
317480.21 0.110736129
400000 0.0625
503968.42 0.0304021213
634960.421 0.0122624902
800000 0.00390625
1007936.84 0.000924288979
1269920.84 0.000150368666
1600000 1.52587891e-05
2015873.68 8.54310116e-07
2539841.68 2.26107356e-08
3200000 2.32830644e-10
END
$data2 << END
200000 0.39346934
251984.21 0.300119424
317480.21 0.218450771
400000 0.146891598
503968.42 0.0902706899
634960.421 0.0477207393
800000 0.0215771415
1007936.84 0.00788606995
1269920.84 0.00224187171
1600000 0.000458710731
2015873.68 6.21900993e-05
2539841.68 5.02598875e-06
3200000 2.10415535e-07
END
$data3 << END
200000 0.393621 0.392663437 0.394578563
251984.21 0.299854 0.29895594 0.30075206
317480.21 0.21881 0.217999659 0.219620341
400000 0.146219 0.145526482 0.146911518
503968.42 0.090741 0.0901780087 0.0913039913
634960.421 0.047482 0.0470651717 0.0478988283
800000 0.021584 0.0212991713 0.0218688287
1007936.84 0.007867 0.00769384079 0.00804015921
1269920.84 0.002189 0.00209739839 0.00228060161
1600000 0.00046 0.000417972353 0.000502027647
2015873.68 6e-05 4.48183608e-05 7.51816392e-05
2539841.68 6e-06 1.19901451e-06 1.08009855e-05
END
$data4 << END
3141673.98 3.7e-06 117734.872 0
END
$data5 << END
3200000 3.7e-06 0 -1.92864861e-06
END
plot $data1 with lines lw 1.8 dt (4,5) lc rgb '#767676' title 'information bound', \
     $data2 with lines lw 1.8 dt solid lc rgb '#0072b2' title 'standard, exact rate', \
     $data3 with yerrorbars pt 7 ps 1.0 lw 1.6 lc rgb '#0072b2' title 'standard, measured, 95 % interval', \
     $data4 with vectors nohead lw 1.6 lc rgb '#0072b2' title 'standard, measured, 95 % interval', \
     $data5 with vectors head empty size screen 0.011,25 lw 1.6 lc rgb '#0072b2' title 'standard, measured, 95 % interval'
unset label
unset arrow
unset object
unset multiplot
