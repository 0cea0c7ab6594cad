#!/bin/sh
# Run once by the postgres image of compose.yaml, when its volume is empty. Creates the app's role, owner of its database without superuser rights.
set -eu
psql --variable=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --set=password="$SAUCE_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE sauce LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE sauce OWNER sauce;
SQL
