package io.hiroba.accounts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Sha256;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.ZipInputStream;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Exports of one's own data over HTTP, from a whole server: the archive against what the person made. */
class DataExportApiTest {

    private static final Square SQUARE = new Square();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String EXPORTS = "/api/v1/exports";

    @AfterAll
    static void close() {
        SQUARE.close();
        CLIENT.close();
    }

    /** The files of an archive by their names. */
    private record Archive(Map<String, byte[]> files) {

        byte[] content(String name) {
            return Objects.requireNonNull(files.get(name), name);
        }

        String text(String name) {
            return new String(content(name), UTF_8);
        }

        List<JsonNode> lines(String name) {
            return text(name).lines().map(Json.mapper()::readTree).toList();
        }

        List<String> values(String name, String field) {
            return lines(name).stream()
                    .map(line -> line.path(field).asString(""))
                    .toList();
        }

        JsonNode line(String name) {
            assertThat(lines(name)).hasSize(1);
            return lines(name).getFirst();
        }
    }

    private static String start(Square.Person person) {
        var started = person.api().post(EXPORTS, Json.text(Map.of("password", person.password())));
        assertThat(started.outcome()).as(started.body()).isEqualTo("201");
        assertThat(started.text("state")).isEqualTo("running");
        var path = EXPORTS + "/" + started.text("id");
        assertThat(started.header("Location")).isEqualTo(path);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> person.api().get(path).text("state").equals("ready"));
        return path;
    }

    private static byte[] send(ApiClient.Reply token, HttpRequest.Builder request) {
        return send(request.header("Authorization", "Bearer " + token.text("token")));
    }

    private static byte[] send(HttpRequest.Builder request) {
        try {
            var reply = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
            assertThat(reply.statusCode())
                    .as(() -> new String(reply.body(), UTF_8))
                    .isLessThan(300);
            return reply.body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(SQUARE.server.url() + path));
    }

    /** The session of somebody who has just given their password. */
    private static String session(Square.Person person) {
        return SQUARE.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())))
                .cookie();
    }

    private static Archive fetch(Square.Person person, String path) {
        var cookie = "hiroba_session=" + session(person);
        var content = send(request(path + "/archive").header("Cookie", cookie));
        var size = person.api().get(path).json().path("size").asLong();
        assertThat((long) content.length).isEqualTo(size);
        var files = new TreeMap<String, byte[]>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(content), UTF_8)) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), zip.readAllBytes());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return new Archive(files);
    }

    private static byte[] picture() throws IOException {
        var out = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", out);
        return out.toByteArray();
    }

    private static String project(Square.Person owner, String name, String record) {
        var id = owner.api()
                .post("/api/v1/projects", Json.text(Map.of("name", name)))
                .text("id");
        var project = "/api/v1/projects/" + id;
        var schema = "{'name': 'note', 'attributes': [{'name': 'text', 'type': 'text'}]}";
        assertThat(owner.api().post(project + "/schemas", schema).outcome()).isEqualTo("201");
        assertThat(owner.api()
                        .post(project + "/records/note", Json.text(Map.of("text", record)))
                        .outcome())
                .isEqualTo("201");
        return id;
    }

    private static void talk(Square.Person person, String words) {
        assertThat(person.api()
                        .post(
                                "/api/v1/knowledge/sessions/thread:1/messages",
                                Json.text(Map.of("role", "user", "content", words)))
                        .status())
                .isLessThan(300);
    }

    private static void nameElsewhere(Square.Person person, String name) {
        assertThat(person.api()
                        .put("/api/v1/me/identities", Json.text(Map.of("provider", "gitlab", "username", name)))
                        .outcome())
                .isEqualTo("200");
    }

    @Test
    void theArchiveHasAllThatThePersonMadeAndNothingPrivateOfOthers() throws IOException {
        var hana = SQUARE.person("Hana");
        var mallory = SQUARE.person("Mallory");
        var friend = SQUARE.person("Friend");
        var theirs = mallory.post("mallory-said-this");
        hana.like(theirs);
        var posts = new ArrayList<>(List.of(hana.post("First #tea"), hana.post("日本語 \"quoted\"\nline")));
        posts.add(hana.reply(friend.post("friend-said-this"), "An answer"));
        friend.reply(posts.getFirst(), "friend-replied-this");
        hana.follow(friend);
        friend.follow(hana);
        mallory.block(hana);
        hana.block(mallory);
        var token = SQUARE.anonymous()
                .post(
                        "/api/v1/tokens",
                        Json.text(Map.of("email", hana.email(), "password", hana.password(), "name", "upload")));
        var image = Json.mapper()
                .readTree(send(
                        token,
                        request("/api/v1/images")
                                .header("Content-Type", "image/png")
                                .POST(BodyPublishers.ofByteArray(picture()))))
                .path("id")
                .asString();
        var own = project(hana, "Garden", "hana-record");
        var foreign = project(mallory, "Lair", "mallory-record");
        assertThat(mallory.api()
                        .put("/api/v1/projects/%s/members/%s".formatted(foreign, hana.id()), "{'role': 'viewer'}")
                        .outcome())
                .isEqualTo("204");
        var thread = "/api/v1/messages/threads/"
                + hana.api()
                        .post("/api/v1/messages/threads", Json.text(Map.of("members", List.of(friend.id()))))
                        .text("id")
                + "/messages";
        var written = hana.api().post(thread, Json.text(Map.of("content", "hana-wrote")));
        friend.api().post(thread, Json.text(Map.of("content", "friend-wrote")));
        talk(hana, "hana-talked");
        talk(mallory, "mallory-talked");
        var upload = "--x\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n%s\r\n";
        var source = hana.api()
                .sendAs(
                        "multipart/form-data; boundary=x",
                        "POST",
                        "/api/v1/knowledge/sources",
                        upload.formatted("visibility", "", "private")
                                + upload.formatted("file", "; filename=\"a/b:c.md\"", "# As it was")
                                + "--x--\r\n")
                .text("id");
        nameElsewhere(hana, "hana-elsewhere");
        nameElsewhere(mallory, "mallory-elsewhere");

        var archive = fetch(hana, start(hana));

        var profile = archive.line("account/profile.jsonl");
        assertThat(profile.path("id").asString()).isEqualTo(hana.id());
        assertThat(profile.path("email").asString()).isEqualTo(hana.email());
        assertThat(archive.values("account/tokens.jsonl", "name")).containsExactly("test", "upload");
        assertThat(archive.values("account/audit.jsonl", "action")).contains("user-created", "data-exported");
        assertThat(archive.values("posts/posts.jsonl", "id")).isEqualTo(posts);
        assertThat(archive.values("posts/posts.jsonl", "content"))
                .containsExactly("First #tea", "日本語 \"quoted\"\nline", "An answer");
        assertThat(archive.lines("posts/posts.jsonl").getFirst().path("tags").toString())
                .isEqualTo("[\"tea\"]");
        assertThat(archive.values("posts/messages.jsonl", "content")).containsExactly("hana-wrote");
        assertThat(archive.values("posts/messages.jsonl", "createdAt")).containsExactly(written.text("createdAt"));
        assertThat(archive.values("posts/likes.jsonl", "postId")).containsExactly(theirs);
        assertThat(archive.values("posts/follows.jsonl", "followeeId")).containsExactly(friend.id());
        assertThat(archive.values("posts/followers.jsonl", "followerId")).containsExactly(friend.id());
        assertThat(archive.values("posts/blocks.jsonl", "blockedId")).containsExactly(mallory.id());
        assertThat(archive.line("pictures/pictures.jsonl").path("id").asString())
                .isEqualTo(image);
        var file = archive.line("pictures/pictures.jsonl").path("file").asString();
        assertThat(ImageIO.read(new ByteArrayInputStream(archive.content("pictures/" + file)))
                        .getWidth())
                .isEqualTo(40);
        assertThat(archive.values("records/projects.jsonl", "id")).containsExactlyInAnyOrder(own, foreign);
        assertThat(archive.values("records/members.jsonl", "projectId")).containsExactly(own);
        assertThat(archive.line("records/" + own + "/note.jsonl").path("text").asString())
                .isEqualTo("hana-record");
        assertThat(archive.values("knowledge/messages.jsonl", "content")).containsExactly("hana-talked");
        assertThat(archive.text("knowledge/original-" + source + "-b_c.md")).isEqualTo("# As it was");
        assertThat(archive.line("inbox/identities.jsonl").path("username").asString())
                .isEqualTo("hana-elsewhere");
        assertThat(archive.text("README.txt")).contains("posts/: Posts, messages, likes and people");

        assertThat(archive.files().values())
                .allSatisfy(content -> assertThat(new String(content, UTF_8))
                        .doesNotContain(
                                "mallory-", "friend-", mallory.email(), friend.email(), "secret_hash", "$argon2"));
        assertThat(list(hana)).hasSize(1);
        var described = Json.mapper().readTree(archive.text("manifest.json")).path("files");
        assertThat(described).as("all but itself").hasSize(archive.files().size() - 1);
        described.forEach(entry -> {
            var content = archive.content(entry.path("path").asString());
            assertThat(entry.path("bytes").asLong()).isEqualTo(content.length);
            assertThat(entry.path("sha256").asString()).isEqualTo(Sha256.hex(content));
        });
        assertThat(described
                        .valueStream()
                        .filter(entry -> entry.path("path").asString().equals("posts/posts.jsonl")))
                .allSatisfy(entry -> assertThat(entry.path("items").asInt()).isEqualTo(3));
    }

    @Test
    void listsOfManyPagesAreWholeAlsoWhereTimesAreEqual() {
        var author = SQUARE.person("Author");
        var id = UserId.parse(author.id()).value();
        SQUARE.server.database().db().useTransaction(tx -> {
            for (var sql : List.of("""
                    INSERT INTO social.posts (id, snippet, owned_by, allow_likes, allow_replies)
                    SELECT (:user & ~1048575::bigint) + n, '', :user, true, true FROM generate_series(100001, 100450) n
                    """, """
                    INSERT INTO social.post_details (post_id, content)
                    SELECT id, 'Post ' || id FROM social.posts WHERE owned_by = :user
                    """, """
                    INSERT INTO social.post_likes (post_id, liked_by, created_at)
                    SELECT id, :user, timestamptz '2026-01-02 03:04:05.678901+00' FROM social.posts WHERE owned_by = :user
                    """, """
                    INSERT INTO activity.notifications (user_id, slot, term, payload, updated_at)
                    SELECT :user, 'like:' || n % 3, 'term-' || n, '{"records": []}', now() FROM generate_series(1, 450) n
                    """, """
                    INSERT INTO knowledge.sessions (id, owned_by, session_key, session_type, message_count)
                    SELECT :user + n, :user, 'thread:' || n, 'thread', 150 FROM generate_series(1, 3) n
                    """, """
                    INSERT INTO knowledge.session_messages (session_id, message_index, role, content, sent_at)
                    SELECT s.id, n, 'user', 'Message', now()
                    FROM knowledge.sessions s, generate_series(0, 149) n WHERE s.owned_by = :user
                    """)) {
                tx.update(sql).bind("user", id).execute();
            }
        });
        var archive = fetch(author, start(author));
        assertThat(archive.values("posts/posts.jsonl", "id")).hasSize(450).doesNotHaveDuplicates();
        assertThat(archive.values("posts/likes.jsonl", "postId")).isEqualTo(archive.values("posts/posts.jsonl", "id"));
        assertThat(archive.lines("posts/likes.jsonl")
                        .getFirst()
                        .path("createdAt")
                        .asString())
                .isEqualTo("2026-01-02T03:04:05.678Z");
        assertThat(archive.values("notifications/notifications.jsonl", "term"))
                .hasSize(450)
                .doesNotHaveDuplicates();
        assertThat(archive.lines("knowledge/messages.jsonl")).hasSize(450).doesNotHaveDuplicates();
    }

    private static List<String> list(Square.Person person) {
        return person.api()
                .get(EXPORTS)
                .json()
                .path("items")
                .valueStream()
                .map(item -> item.path("id").asString())
                .toList();
    }

    @Test
    void anExportIsForItsOwnerAloneWhoConfirmsThatItIsThem() {
        var owner = SQUARE.person("Owner");
        var other = SQUARE.person("Other");
        assertThat(owner.api().post(EXPORTS, "").outcome()).isEqualTo("403 accounts.password-required");
        assertThat(owner.api().post(EXPORTS, "{'password':'guess guess'}").outcome())
                .isEqualTo("403 accounts.wrong-current-password");
        assertThat(SQUARE.anonymous().post(EXPORTS, "").status()).isEqualTo(401);
        var path = start(owner);
        for (var reader : List.of(other, SQUARE.admin)) {
            for (var each : List.of(path, path + "/archive")) {
                assertThat(reader.api().get(each).outcome()).isEqualTo("404 accounts.export-not-found");
            }
            assertThat(reader.api().delete(path).outcome()).isEqualTo("404 accounts.export-not-found");
            assertThat(list(reader)).isEmpty();
        }
        assertThat(owner.api().get(path + "/archive").status())
                .as("the token that started it, with the password")
                .isEqualTo(200);
        var token = SQUARE.anonymous()
                .post(
                        "/api/v1/tokens",
                        Json.text(Map.of("email", owner.email(), "password", owner.password(), "name", "another")))
                .text("token");
        assertThat(SQUARE.anonymous().token(token).get(path + "/archive").outcome())
                .isEqualTo("403 accounts.password-required");
        var session = SQUARE.anonymous().cookie(session(owner));
        assertThat(session.get(path + "/archive").header("Content-Type")).isEqualTo("application/zip");
        SQUARE.server
                .database()
                .db()
                .useTransaction(
                        tx -> tx.update("UPDATE accounts.sessions SET confirmed_at = NULL WHERE user_id = :user")
                                .bind("user", UserId.parse(owner.id()).value())
                                .execute());
        assertThat(session.get(path + "/archive").outcome()).isEqualTo("403 accounts.password-required");
        assertThat(owner.api().delete(path).outcome()).isEqualTo("204");
        assertThat(owner.api().get(path).outcome()).isEqualTo("404 accounts.export-not-found");
    }
}
