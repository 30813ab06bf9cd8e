<?php
// A Bloom filter for bloomlab in PHP, with nothing else: "command": ["php", "my_filter.php"]
declare(strict_types=1);

final class BloomFilter
{
    private string $bits;
    private int $k;

    public function __construct(private int $m, float $bitsPerKey, private string $seed)
    {
        $this->k = max(1, (int) round(M_LN2 * $bitsPerKey));
        $this->bits = str_repeat("\0", intdiv($m + 7, 8));
    }

    /** k positions of the key by double hashing; the words have 32 bits, so that sums stay whole. */
    private function positions(string $key): array
    {
        [, $at, $step] = unpack('V2', hash('sha256', $this->seed . $key, true));
        $positions = [];
        for ($i = 0; $i < $this->k; ++$i) {
            $positions[] = ($at + $i * ($step | 1)) % $this->m;
        }
        return $positions;
    }

    public function insert(string $key): void
    {
        foreach ($this->positions($key) as $i) {
            $this->bits[$i >> 3] = chr(ord($this->bits[$i >> 3]) | 1 << ($i & 7));
        }
    }

    public function contains(string $key): bool
    {
        foreach ($this->positions($key) as $i) {
            if ((ord($this->bits[$i >> 3]) >> ($i & 7) & 1) === 0) {
                return false;
            }
        }
        return true;
    }
}

function keys(int $count): iterable
{
    while ($count-- > 0) {
        yield hex2bin(rtrim(fgets(STDIN), "\n"));
    }
}

echo "bloomlab-filter 1 text name=my_filter\n";
while (($line = fgets(STDIN)) !== false) {
    $call = explode(' ', rtrim($line, "\n"));
    switch ($call[0]) {
        case 'create':
            $m = (int) ceil((float) $call[1] * (float) $call[2]);
            $filter = new BloomFilter($m, (float) $call[2], $call[4]);
            $answer = 'ok';
            break;
        case 'memory':
            $answer = (string) $m;
            break;
        case 'insert':
            foreach (keys((int) $call[1]) as $key) {
                $filter->insert($key);
            }
            $answer = 'ok';
            break;
        case 'query':
            $answer = '';
            foreach (keys((int) $call[1]) as $key) {
                $answer .= $filter->contains($key) ? '1' : '0';
            }
            break;
        default:
            $answer = 'unsupported';
    }
    echo $answer, "\n";
}
