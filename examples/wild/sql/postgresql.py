"""Serves PostgreSQL's bloom index to bloomlab: a key is a row, and a row that the index reports
and the recheck removes is a false positive. One server of our own, in TMPDIR, by a socket there."""
import os
import re
import subprocess
import sys
import tempfile

here = tempfile.mkdtemp(dir=os.environ.get("TMPDIR"))
user = []
if os.getuid() == 0:  # PostgreSQL does not run as root
    os.chown(here, 65534, 65534)
    os.chmod(os.path.dirname(here), 0o711)
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=" + here]
data = os.path.join(here, "data")
quiet = {"stdout": subprocess.DEVNULL, "cwd": here}
subprocess.run([*user, "initdb", "-D", data, "-A", "trust", "-U", "me", "-N", "--no-locale"], check=True, **quiet)
settings = {"listen_addresses": "", "unix_socket_directories": here, "fsync": "off", "autovacuum": "off",
            "enable_seqscan": "off", "jit": "off"}
server = subprocess.Popen([*user, "postgres", "-D", data, *(f"--{k}={v}" for k, v in settings.items())],
                          stderr=subprocess.DEVNULL, **quiet)
while subprocess.run(["pg_isready", "-q", "-h", here]).returncode:
    assert server.poll() is None, "the server ended"
psql = subprocess.Popen(["psql", "-XqAt", "-h", here, "-U", "me", "postgres"], text=True,
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def sql(text):
    """What psql prints for it, up to a line that we print ourselves."""
    psql.stdin.write(text + ";\n\\echo done\n")
    psql.stdin.flush()
    return "".join(iter(psql.stdout.readline, "done\n"))


plan = "explain (analyze, timing off, costs off) execute q"
sql("create extension bloom; create table t (k text)")
print("bloomlab-filter 1 text name=sql/postgresql version=" + os.environ["WILD_VERSION"], flush=True)
for line in sys.stdin:
    call, *values = line.split()
    answer = "ok"
    if call == "create":  # with the index's own settings, of 80 bits a row
        sql("drop index if exists i; truncate t; deallocate all; create index i on t using bloom (k);"
            "prepare q (text) as select from t where k = $1")
    elif call == "memory":
        answer = 8 * int(sql("select pg_relation_size('i')"))
    else:
        keys = [sys.stdin.readline().strip() for _ in range(int(values[0]))]
        if call == "insert":
            sql("insert into t values " + ",".join(f"('{key}')" for key in keys))
        else:
            found = []
            for first in range(0, len(keys), 50):  # what is printed of more might fill the pipe
                texts = sql(";\n".join(f"{plan}('{key}')" for key in keys[first:first + 50]))
                found += texts.split("Execution Time")[:-1]
            answer = "".join("1" if re.search(r"Index Recheck: [1-9]|rows=[1-9]", text) else "0" for text in found)
    print(answer, flush=True)
