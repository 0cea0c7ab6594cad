#!/bin/sh
# The postgres image of compose.yaml runs this once, when its volume is empty. The app's role owns its database and is no superuser.
set -eu
psql --variable=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --set=password="$SAUCE_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE sauce LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE sauce OWNER sauce;
SQL
