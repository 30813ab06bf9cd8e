set encoding utf8
set terminal svg enhanced fixed size 900,661 background rgb '#ffffff' font 'sans-serif,16'
unset key
set clip one
set clip two
set errorbars 0
set pointintervalbox 1
set border 3 lw 1 lc rgb '#777777'
set grid xtics ytics lt 1 lw 1 lc rgb '#e6e6e6' back
set label 'x\_1\^\{2\} \@a \& b\~c \\d \{e\} ''q'' "t" `id` <tag> 100 % $HOME' at screen 0.02667,0.95637 left font 'sans-serif:Bold,22' textcolor rgb '#222222'
set label 'доля p\_\{fp\} 误判率' at screen 0.02667,0.85154 left font 'sans-serif,17' textcolor rgb '#222222'
set label '每个元素的位数 m/n [бит]' at screen 0.52064,0.13636 center font 'sans-serif,17' textcolor rgb '#222222'
set label '误判率与每个元素的位数的关系，误差线为百分之九十五置信区间；数据文件 results/fpr\_vs\_m.json。Доля ложных' at screen 0.02667,0.09262 left font 'sans-serif,14' textcolor rgb '#555555'
set label 'срабатываний в зависимости от размера фильтра; отрезки показывают доверительные интервалы. Данные:' at screen 0.02667,0.06404 left font 'sans-serif,14' textcolor rgb '#555555'
set label 'results/fpr\_vs\_m.json.' at screen 0.02667,0.03546 left font 'sans-serif,14' textcolor rgb '#555555'
set arrow from screen 0.04333,0.91653 to screen 0.04333,0.88628 nohead lw 1.6 lc rgb '#0072b2'
set label '' at screen 0.04333,0.90141 point pt 7 ps 1.1 lw 1.6 lc rgb '#0072b2'
set label 'double\_hashing \& co' at screen 0.06889,0.90141 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.29600,0.90141 to screen 0.32933,0.90141 nohead lw 1.8 dt solid lc rgb '#d55e00'
set label 'теория <точная>' at screen 0.33822,0.90141 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.56033,0.91653 to screen 0.56033,0.88628 head empty size screen 0.011,25 lw 1.6 lc rgb '#555555'
set arrow from screen 0.55477,0.91653 to screen 0.56589,0.91653 nohead lw 1.6 lc rgb '#555555'
set label 'нет срабатываний: верхняя граница' at screen 0.58589,0.90141 left font 'sans-serif,17' textcolor rgb '#222222' front
set multiplot
set lmargin at screen 0.07684
set rmargin at screen 0.96444
set tmargin at screen 0.81000
set bmargin at screen 0.20513
set logscale x
set xrange [1.91852822:8.33972617]
set logscale y
set yrange [0.000199999998:0.500000005]
set xtics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0,0.35 ('2' 2, '3' 3, '4' 4, '5' 5, '6' 6, '7' 7, '8' 8)
set ytics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0.7,0 ('10^{-3}' 0.001, '10^{-2}' 0.01, '10^{-1}' 0.1, '' 0.0002 1, '' 0.0003 1, '' 0.0004 1, '' 0.0005 1, '' 0.0006 1, '' 0.0007 1, '' 0.0008 1, '' 0.0009 1, '' 0.002 1, '' 0.003 1, '' 0.004 1, '' 0.005 1, '' 0.006 1, '' 0.007 1, '' 0.008 1, '' 0.009 1, '' 0.02 1, '' 0.03 1, '' 0.04 1, '' 0.05 1, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '' 0.2 1, '' 0.3 1, '' 0.4 1, '' 0.5 1)
set arrow from screen 0.07684,0.50756 to screen 0.96444,0.50756 nohead lw 1.4 dt (7,5) lc rgb '#555555' back
set label 'цель\_1 %' at screen 0.87350,0.52438 left font 'sans-serif,15' textcolor rgb '#555555' front
$data1 << END
2 0.12
8 0.0001
END
$data2 << END
2 0.1 0.05 0.2
END
$data3 << END
7.9267572 0.001 0.147162365 0
END
$data4 << END
8 0.001 0 -0.000323756662
END
plot $data1 with lines lw 1.8 dt solid lc rgb '#d55e00' title 'теория <точная>', \
     $data2 with yerrorbars pt 7 ps 1.0 lw 1.6 lc rgb '#0072b2' title 'double\_hashing \& co', \
     $data3 with vectors nohead lw 1.6 lc rgb '#0072b2' title 'double\_hashing \& co', \
     $data4 with vectors head empty size screen 0.011,25 lw 1.6 lc rgb '#0072b2' title 'double\_hashing \& co'
unset label
unset arrow
unset object
unset multiplot
