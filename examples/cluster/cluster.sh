#!/usr/bin/env bash
# Three Voight processes behind HAProxy, on a PostgreSQL primary with a synchronous standby: all of it on this machine, from
# Debian's packages, in one folder, at loopback ports.
set -euo pipefail

usage() {
    cat <<'TEXT'
cluster.sh start                 make everything in ./cluster.run and start it
cluster.sh show                  who is there, and how many rows the ledger has
cluster.sh kill a|b|c|primary    end one at once, as a crash would; a node is started again after three seconds
cluster.sh promote               let the standby take the writes, and wait for the nodes
cluster.sh stop                  end everything and remove ./cluster.run

CLUSTER_DIR names another folder, CLUSTER_PORT another port for the balancer than 8080; the others follow it.
TEXT
    exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
run=${CLUSTER_DIR:-$PWD/cluster.run}
port=${CLUSTER_PORT:-8080}
primary=$((port + 20)) standby=$((port + 21))
# A release's programs are in no PATH.
programs=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)

# PostgreSQL refuses to run as root.
as_postgres() {
    if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# The public port of a node, a, b or c, and its port for operators.
public() { case $1 in a) echo $((port + 1)) ;; b) echo $((port + 2)) ;; c) echo $((port + 3)) ;; *) usage ;; esac; }
admin() { echo $(($(public "$1") + 10)); }

sql() { PGPASSWORD=$(cat "$run/password") psql -qtAX -h 127.0.0.1 -p "$1" -U voight -d postgres -c "$2"; }

# start_server FOLDER PORT
start_server() {
    local settings="-c port=$2 -c listen_addresses=127.0.0.1 -c unix_socket_directories="
    as_postgres "$programs/pg_ctl" start --wait --silent --pgdata "$1" --log "$1.log" --options "$settings"
}

make_database() {
    (umask 077 && random > "$run/password" && mkdir "$run/database")
    if [ "$(id -u)" = 0 ]; then chown postgres "$run/password" "$run/database"; fi
    as_postgres "$programs/initdb" --no-instructions --auth=scram-sha-256 --encoding=UTF8 --locale=C --username=voight \
        --pwfile="$run/password" --pgdata="$run/database/primary" > "$run/initdb.log"
    start_server "$run/database/primary" "$primary"
    # The standby begins as a copy, and knows from it where the primary is.
    as_postgres env PGPASSWORD="$(cat "$run/password")" "$programs/pg_basebackup" --checkpoint=fast --write-recovery-conf \
        --pgdata="$run/database/standby" \
        --dbname="host=127.0.0.1 port=$primary user=voight application_name=standby"
    start_server "$run/database/standby" "$standby"
    # From now on nothing is committed that is on one disk alone.
    sql "$primary" "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
    sql "$primary" "SELECT pg_reload_conf()" > /dev/null
}

# Runs a node, and starts it again whenever it has ended, as systemd does with voight@.service.
keep_node() {
    local servers="127.0.0.1:$primary,127.0.0.1:$standby"
    PGPASSWORD=$(cat "$run/password") VOIGHT_PEPPER=$(cat "$run/pepper")
    export PGPASSWORD VOIGHT_PEPPER VOIGHT__SERVER__ADMIN_HOSTS=cluster
    while [ -e "$run/pepper" ]; do
        voight --data-dir "$run/$1" --store "postgres://voight@$servers/postgres?target_session_attrs=read-write" \
            serve --listen "127.0.0.1:$(public "$1")" --admin-listen "127.0.0.1:$(admin "$1")" 2>> "$run/$1.log" &
        echo $! > "$run/$1.pid"
        wait $! || sleep 3
    done
}

is_ready() { curl -fso /dev/null "http://127.0.0.1:$(admin "$1")/readyz"; }

wait_until_ready() {
    for _ in $(seq 300); do
        if is_ready a && is_ready b && is_ready c; then return; fi
        sleep 0.1
    done
    echo "not all nodes are ready; their logs are in $run" >&2
    exit 1
}

start_balancer() {
    local node
    for node in a b c; do
        export "NODE_${node^^}=$(public $node)" "ADMIN_${node^^}=$(admin $node)"
    done
    BALANCER=$port haproxy -D -q -p "$run/balancer.pid" -f "$here/haproxy.cfg"
}

start() {
    if [ -e "$run" ]; then echo "$run already exists: cluster.sh stop ends the cluster and removes the directory" >&2; exit 1; fi
    mkdir -p "$run"
    chmod 755 "$run"
    make_database
    (umask 077 && random > "$run/pepper")
    for node in a b c; do
        keep_node $node < /dev/null > /dev/null 2>&1 &
    done
    wait_until_ready
    start_balancer
    show
}

show() {
    for node in a b c; do
        echo "node $node: $(is_ready $node && echo ready || echo unavailable)"
    done
    for server in primary standby; do
        case $(sql "${!server}" "SELECT pg_is_in_recovery()" 2> /dev/null) in
        f) echo "$server: takes writes, $(sql "${!server}" "SELECT count(*) FROM ledger") lookups in the ledger" ;;
        t) echo "$server: follows" ;;
        *) echo "$server: unavailable" ;;
        esac
    done
}

kill_one() {
    case $1 in
    a | b | c) kill -KILL "$(cat "$run/$1.pid")" ;;
    primary) kill -KILL "$(head -n 1 "$run/database/primary/postmaster.pid")" ;;
    *) usage ;;
    esac
}

promote() {
    as_postgres "$programs/pg_ctl" promote --wait --silent --pgdata "$run/database/standby"
    wait_until_ready
}

stop() {
    rm -f "$run/pepper" # which ends what keeps the nodes
    for process in "$run"/*.pid; do kill "$(cat "$process")" 2> /dev/null || true; done
    for server in primary standby; do
        as_postgres "$programs/pg_ctl" stop --mode=immediate --silent --pgdata "$run/database/$server" 2> /dev/null || true
    done
    rm -rf "$run"
}

case "${1:-} ${2:-}" in
"start " | "show " | "promote " | "stop ") "$1" ;;
"kill "?*) kill_one "$2" ;;
*) usage ;;
esac
