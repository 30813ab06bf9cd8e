-- Serves Data.BloomFilter of the package bloomfilter to bloomlab, made for n keys and a rate by
-- Data.BloomFilter.Easy. It has no seed.
module Main (main) where

import Control.Monad (forM_, replicateM)
import Control.Monad.ST (RealWorld, stToIO)
import qualified Data.BloomFilter.Easy as Easy
import qualified Data.BloomFilter.Hash as Hash
import qualified Data.BloomFilter.Mutable as Mutable
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.Word (Word8)
import Numeric (readFloat)
import System.Environment (getEnv)
import System.IO

type Filter = Mutable.MBloom RealWorld B.ByteString

unhex :: B.ByteString -> B.ByteString
unhex text = B.pack [16 * digit (2 * i) + digit (2 * i + 1) | i <- [0 .. B.length text `div` 2 - 1]]
  where
    digit i = let c = B.index text i in if c < 58 then c - 48 else c - 87 :: Word8

make :: [String] -> IO Filter
make (n : bits : rate : _) = stToIO (Mutable.new (Hash.cheapHashes hashes) size)
  where
    -- A size in bits becomes the rate that the usual formula gives for it.
    asked = if number rate > 0 then number rate else exp (-(number bits * log 2 ^ (2 :: Int)))
    (size, hashes) = Easy.suggestSizing (read n) asked
    number text = fst (head (readFloat text)) :: Double
make _ = fail "create needs numbers"

serve :: Maybe Filter -> IO ()
serve current = do
  end <- isEOF
  if end then pure () else do
    line <- words . C.unpack <$> C.getLine
    let Just filter' = current
        keys count = replicateM (read count) (unhex <$> C.getLine)
    case line of
      "create" : values -> make values >>= \made -> putStrLn "ok" >> serve (Just made)
      "memory" : _ -> print (Mutable.length filter') >> serve current
      "insert" : count : _ -> do
        given <- keys count
        forM_ given (stToIO . Mutable.insert filter')
        putStrLn "ok" >> serve current
      "query" : count : _ -> do
        given <- keys count
        answers <- mapM (\key -> stToIO (Mutable.elem key filter')) given
        putStrLn (map (\found -> if found then '1' else '0') answers) >> serve current
      _ -> putStrLn "unsupported" >> serve current

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  version <- getEnv "WILD_VERSION"
  putStrLn ("bloomlab-filter 1 text name=haskell/bloomfilter version=" ++ version)
  serve Nothing
