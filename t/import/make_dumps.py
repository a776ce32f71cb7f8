"""SQLite dumps, with the tables of the three programs that make them."""
import os
import sqlite3

STORYEXPORTER = """
create table __drizzle_migrations (id integer primary key, hash text not null, created_at numeric);
create table project (id integer primary key not null, name text not null, description text,
    status text, iteration_length integer, created_at text, updated_at text);
create table person (id integer primary key not null, name text, email text, initials text,
    username text);
create table label (id integer primary key not null, project_id integer not null, name text,
    description text, created_at text, updated_at text);
create table epic (id integer primary key not null, project_id integer not null,
    label_id integer, name text, description text, created_at text, updated_at text);
create table story (id integer primary key not null, project_id integer not null,
    name text not null, description text, story_type text not null, current_state text not null,
    estimate real, accepted_at text, created_at text not null, owned_by_id integer,
    requested_by_id integer not null, updated_at text);
create table story_label (story_id integer not null, label_id integer not null);
create table comment (id integer primary key not null, story_id integer not null, text text,
    person_id integer not null, created_at text, updated_at text);
create table file_attachment (id integer primary key not null, filename text, content_type text,
    size integer, download_url text, uploader_id integer, created_at text, comment_id integer);
create table file_attachment_file (file_attachment_id integer not null, blob blob not null);
create unique index file_attachment_id_idx on file_attachment_file (file_attachment_id);
create table blocker (id integer primary key not null, description text, resolved integer,
    story_id integer, person_id integer, created_at text, updated_at text);
insert into project values (99, 'Web', null, null, 2, '2020-01-06T09:00:00Z', null);
insert into person values (1, 'Ana Núñez', 'ana@example.com', 'AN', 'ana'),
    (2, 'unknown', 'unknown-2@example.com', '??', 'unknown-2');
insert into label values (31, 99, 'sign-in', null, '2020-01-07T09:00:00Z', null),
    (32, 99, 'backend', null, '2020-01-07T09:00:00Z', null);
insert into epic values (4100001, 99, 31, 'Sign-in', null, '2020-01-07T09:00:00Z', null);
insert into story values
    (185000001, 99, 'Reset password', 'Two' || char(10) || 'lines', 'feature', 'accepted', 2.0,
        '2023-10-12T15:30:00Z', '2023-10-02T08:00:00Z', 1, 1, null),
    (185000002, 99, 'Idea', null, 'chore', 'unscheduled', null, null, '2023-10-03T08:00:00Z',
        null, 2, null);
insert into story_label values (185000002, 32), (185000001, 32), (185000001, 31);
insert into comment values (501, 185000001, 'Done', 1, '2023-10-11T10:00:00Z', null),
    (500, 185000001, 'First', 2, '2023-10-10T10:00:00Z', null),
    (502, 185000002, null, 1, '2023-10-11T11:00:00Z', null);
insert into file_attachment values (71, 'a.png', 'image/png', 5, '/file_attachments/71/download',
    1, '2023-10-11T10:00:00Z', 501), (72, 'lost.png', 'image/png', 9, null, 1, null, 502);
insert into file_attachment_file values (71, cast('hello' as blob));
insert into blocker values (81, 'waits for #185000002', 1, 185000001, 1, '2023-10-05T08:00:00Z',
    null);
"""

PIVOTAL_TRACKER_DUMP = """
create table project (id integer primary key not null, name text not null);
create table person (id integer primary key not null, name text, email text, initials text,
    username text);
create table label (id integer primary key not null, project_id integer not null,
    name text not null, description text, created_at text, updated_at text);
create table story (id integer primary key not null, project_id integer not null,
    name text not null, description text, story_type text not null, current_state text not null,
    estimate real, accepted_at text, created_at text not null, owned_by_id integer,
    requested_by_id integer not null, updated_at text);
create table story_owner (_id integer primary key autoincrement not null,
    story_id integer not null, person_id integer not null);
create table story_label (_id integer primary key autoincrement not null,
    story_id integer not null, label_id integer not null);
create table story_comment (id integer primary key not null, story_id integer not null,
    text text, person_id integer not null, created_at text not null, updated_at text);
create table file_attachment (id integer primary key not null, filename text, content_type text,
    size integer, download_url text, uploader_id integer, created_at text, comment_id integer);
create table file_attachment_file (file_attachment_id integer primary key not null,
    blob blob not null);
insert into project values (99, 'Web');
insert into person values (1, 'Ana Núñez', 'ana@example.com', 'AN', 'ana'),
    (2, 'Bo Li-Hart', 'bo@example.com', 'BL', 'bo');
insert into label values (31, 99, 'backend', null, '2020-01-07T09:00:00Z', '2020-01-08T09:00:00Z');
insert into story values (5, 99, 'A', null, 'bug', 'started', null, null,
    '2023-10-02T08:00:00.250Z', 2, 1, '2023-10-04T08:00:00Z'),
    (6, 99, 'B', null, 'bug', 'unstarted', 1.5, null, '2023-10-02T08:00:00Z', null, 1, null);
insert into story_owner (story_id, person_id) values (5, 2), (5, 1);
insert into story_label (story_id, label_id) values (5, 31);
insert into story_comment values (50, 5, 'x' || char(0) || 'y', 1, '2023-10-03T08:00:00Z', null);
insert into file_attachment values (71, 'in table.txt', 'text/plain', 5, null, 1, null, 50),
    (72, 'beside.txt', 'text/plain', 6, null, 1, null, 50),
    (73, 'nowhere.txt', 'text/plain', 6, null, 1, null, 50);
insert into file_attachment_file values (71, cast('hello' as blob));
create table surprise (id integer);
"""

EAST_AGILE = """
create table projects (id integer primary key, name varchar(50) not null,
    description varchar(140), public boolean, version integer, week_start_day varchar,
    point_scale varchar(255), point_scale_is_custom boolean,
    bugs_and_chores_are_estimatable boolean, automatic_planning boolean, enable_tasks boolean,
    start_date datetime, time_zone varchar, velocity_averaged_over integer,
    number_of_done_iterations_to_show integer, has_google_domain boolean,
    enable_incoming_emails boolean, initial_velocity integer, project_type varchar,
    current_iteration_number integer, current_velocity integer, account_id integer,
    created_at datetime, updated_at datetime);
create table persons (id integer primary key, name varchar, email varchar, initials varchar,
    username varchar);
create table project_access (person_id integer, project_id integer);
create table story_owners (story_id integer, person_id integer);
create table story_labels (story_id integer, label_id integer);
create table iterations (id integer primary key, project_id integer not null,
    number integer not null, length integer, start datetime, finish datetime, kind varchar,
    velocity float, team_strength float);
create table stories (id integer primary key, project_id integer not null, name varchar not null,
    description varchar, story_type varchar not null, current_state varchar not null,
    estimate float, accepted_at datetime, created_at datetime not null, updated_at datetime,
    requested_by_id integer not null, story_priority varchar, iteration_id integer);
create table labels (id integer primary key, project_id integer not null, name varchar not null,
    description varchar, created_at datetime, updated_at datetime);
create table comments (id integer primary key, story_id integer not null, text varchar,
    person_id integer not null, created_at datetime not null, updated_at datetime);
create table file_attachments (id integer primary key, comment_id integer, filename varchar,
    content_type varchar, size integer, download_url varchar, uploader_id integer,
    created_at datetime, file_path varchar);
create table epics (id integer primary key, project_id integer not null,
    label_id integer not null, name varchar, description varchar, created_at datetime,
    updated_at datetime);
create table blockers (id integer primary key, story_id integer, description varchar not null,
    resolved boolean not null, person_id integer not null, created_at datetime not null,
    updated_at datetime not null);
create table tasks (id integer primary key, story_id integer not null,
    description varchar not null, complete boolean, position integer,
    created_at datetime not null, updated_at datetime);
insert into projects values
    (99, 'Web', 'The site', 0, 812, 'Monday', '0,1,2,3', 0, 1, 1, 1,
        '2020-01-06 08:00:00.000000', 'America/Los_Angeles', 3, 4, 0, 0, 10, 'private', 198, 9, 7,
        '2020-01-02 10:00:00.000000', '2024-01-02 10:00:00.500000'),
    (100, 'Other', null, 0, 1, 'Monday', '0,1,2,3', 0, 0, 1, 1, null, 'UTC', 3, 4, 0, 0, 10,
        'private', 1, 0, 7, null, null);
insert into persons values (1, 'Ana Núñez', 'ana@example.com', 'AN', 'ana'),
    (2, 'Bo Li-Hart', 'bo@example.com', 'BL', 'bo');
insert into iterations values
    (900, 99, 7, 1, '2023-10-09 07:00:00.000000', '2023-10-16 07:00:00.000000', 'done', 9, 1),
    (901, 99, 8, 1, '2023-10-16 07:00:00.000000', '2023-10-23 07:00:00.000000', 'done', 9, 0.5),
    (902, 100, 1, 1, '2023-10-16 00:00:00.000000', '2023-10-23 00:00:00.000000', 'done', 9, 0.5);
insert into stories values
    (11, 99, 'A', null, 'feature', 'accepted', 3, '2023-10-10 09:08:07.654321',
        '2023-10-02 08:00:00.000000', '2023-10-10 09:08:07.000000', 1, 'p1', 900),
    (12, 100, 'Foreign', null, 'feature', 'unstarted', 3, null, '2023-10-02 08:00:00.000000',
        null, 1, 'none', 902);
insert into story_owners values (12, 1), (11, 2), (11, 1);
insert into labels values (31, 99, 'sign-in', null, '2020-01-07 09:00:00.000000', null),
    (32, 100, 'foreign', null, null, null);
insert into story_labels values (11, 31);
insert into epics values (41, 99, 31, 'Sign-in', 'text', '2020-01-07 09:00:00.000000', null);
insert into comments values (50, 11, 'Look', 2, '2023-10-03 08:00:00.000000', null),
    (51, 12, 'Foreign', 2, '2023-10-03 08:00:00.000000', null);
insert into file_attachments values
    (71, 50, 'plan.txt', 'text/plain', 4, 'x', 2, '2023-10-03 08:00:00.000000',
        '99/11/71_plan.txt'),
    (72, 51, 'f.txt', 'text/plain', 4, 'x', 2, null, '100/12/72_f.txt'),
    (73, 50, '../../etc/passwd', 'text/plain', 4, 'x', 2, null, '../../../../etc/passwd');
insert into blockers values (81, 11, '#12', 0, 1, '2023-10-03 08:00:00.000000',
    '2023-10-03 09:00:00.000000');
insert into tasks values
    (61, 11, 'second', 0, 2, '2023-10-03 08:00:00.000000', null),
    (62, 11, 'first', 1, 1, '2023-10-03 08:00:00.000000', null);
"""


def database(path, script):
    db = sqlite3.connect(path)
    db.executescript(script)
    db.close()


def write(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f:
        f.write(content)


def make():
    database("storyexporter.db", STORYEXPORTER)
    os.makedirs("ptdump")
    database("ptdump/ptdump_1.db", PIVOTAL_TRACKER_DUMP)
    write("ptdump/files/72_beside.txt", b"beside")
    write("ptdump/files/99_unused.txt", b"unused")
    os.makedirs("east")
    database("east/pivotal_tracker_data.db", EAST_AGILE)
    write("east/attachments/99/11/71_plan.txt", b"plan")
    write("east/attachments/100/12/72_f.txt", b"nope")
