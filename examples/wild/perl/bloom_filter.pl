# Serves Bloom::Filter of Perl to bloomlab, made for n keys and a rate. Its salts come from rand.
use strict;
use warnings;
use Bloom::Filter;

$| = 1;
local $SIG{__WARN__} = sub { };    # it says on standard error that it is full
my $filter;
print "bloomlab-filter 1 text name=perl/Bloom::Filter version=$ENV{WILD_VERSION}\n";
while ( my $line = <STDIN> ) {
    my ( $call, @values ) = split ' ', $line;
    my $answer = 'ok';
    if ( $call eq 'create' ) {
        my ( $n, $bits, $rate, $seed ) = @values;
        srand( $seed % 2**31 );

        # A size in bits becomes the rate that the usual formula gives for it.
        $rate   = exp( -$bits * log(2)**2 ) if $rate == 0;
        $filter = Bloom::Filter->new( capacity => $n, error_rate => $rate );
    }
    elsif ( $call eq 'memory' ) {
        $answer = $filter->length;
    }
    else {
        my @keys = map { my $hex = <STDIN>; chomp $hex; pack 'H*', $hex } 1 .. $values[0];
        if ( $call eq 'query' ) {
            $answer = join '', map { $filter->check($_) ? 1 : 0 } @keys;
        }
        else {
            $filter->add($_) or $answer = 'full' foreach @keys;
        }
    }
    print "$answer\n";
}
