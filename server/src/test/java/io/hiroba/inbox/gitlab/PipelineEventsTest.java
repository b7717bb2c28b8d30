package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipelineEventsTest {

    private static final String PROJECT =
            "'project': {'id': 9, 'path_with_namespace': 'harbour/boat', 'web_url': 'https://git.example/harbour/boat'}";

    private TestGitlab gitlab;

    @BeforeAll
    void open() {
        gitlab = new TestGitlab();
        gitlab.person(2, "ann");
        gitlab.person(3, "bob");
    }

    @AfterAll
    void close() {
        assertThat(gitlab.inbox.miscounted()).isEmpty();
        gitlab.close();
    }

    private void pipeline(int number, String user, String status, int minute, String ref, String sha, String rest) {
        gitlab.hook("""
                {'object_kind': 'pipeline',
                 'object_attributes': {'id': %d, 'ref': '%s', 'sha': '%s', 'status': '%s',
                     'created_at': '2026-05-04 10:00:00 UTC', 'finished_at': %s},
                 'user': {'id': %d, 'username': '%s'}, %s,
                 'commit': {'id': '%s', 'message': 'Tar the hull', 'timestamp': '2026-05-04T09:00:00+00:00'} %s}
                """.formatted(
                        number,
                        ref,
                        sha,
                        status,
                        minute < 0 ? "null" : "'2026-05-04 10:%02d:00 UTC'".formatted(minute),
                        user.equals("ann") ? 2 : 3,
                        user,
                        PROJECT,
                        sha,
                        rest));
    }

    private void job(int pipeline, String status, int minute, String ref, String sha, boolean mayFail) {
        gitlab.hook("""
                {'object_kind': 'build', 'ref': '%s', 'sha': '%s', 'build_id': 7, 'build_status': '%s',
                 'build_finished_at': '2026-05-04T10:%02d:00.123Z', 'build_allow_failure': %s,
                 'pipeline_id': %d, 'project_id': 9, 'project_name': 'harbour / boat',
                 'user': {'id': 2, 'name': 'Ann'}, 'commit': {'id': %d, 'sha': '%s', 'message': 'Tar', 'status': 'running'}, %s}
                """.formatted(ref, sha, status, minute, mayFail, pipeline, pipeline, sha, PROJECT));
    }

    private static String on(int request) {
        return ", 'merge_request': {'id': %d, 'iid': 1, 'title': 'Tar', 'state': 'opened', 'url': 'https://git.example/x'}"
                .formatted(request);
    }

    @Test
    void aFailureNotifiesItsUserAndALaterSuccessResolvesIt() {
        pipeline(1, "ann", "running", -1, "refs/merge-requests/1/head", "s1", on(70));
        pipeline(1, "ann", "failed", 5, "refs/merge-requests/1/head", "s1", on(70));
        assertThat(gitlab.items("ann")).contains("build_failed merge_request 70 todo");
        pipeline(2, "bob", "success", 9, "refs/merge-requests/1/head", "s2", on(70));
        assertThat(gitlab.items("ann")).contains("build_failed merge_request 70 done");
    }

    @Test
    void withoutAMergeRequestItIsAboutTheCommitAndTheBranchTurnsGreen() {
        pipeline(11, "ann", "failed", 5, "main", "c1", "");
        pipeline(12, "bob", "failed", 6, "other", "c1b", "");
        assertThat(gitlab.items("ann")).contains("build_failed commit 9:c1 todo");
        pipeline(13, "bob", "success", 9, "main", "c2", "");
        assertThat(gitlab.items("ann")).contains("build_failed commit 9:c1 done");
        assertThat(gitlab.items("bob")).contains("build_failed commit 9:c1b todo");
    }

    @Test
    void anOlderPipelineThatFailsAfterANewerOneSucceededAsksNothing() {
        pipeline(22, "bob", "success", 5, "main2", "d2", "");
        pipeline(21, "ann", "failed", 9, "main2", "d1", "");
        assertThat(gitlab.pending("ann")).noneMatch(item -> item.contains("9:d1"));
    }

    @Test
    void aSuccessDoesNotTakeBackANewerFailure() {
        pipeline(33, "ann", "failed", 3, "x", "e3", on(71));
        pipeline(31, "ann", "failed", 9, "x", "e1", on(71));
        pipeline(32, "bob", "success", 8, "x", "e2", on(71));
        assertThat(gitlab.pending("ann")).contains("build_failed merge_request 71 todo");
    }

    @Test
    void aPipelineThatSucceedsWhenTriedAgainIsGreen() {
        pipeline(41, "ann", "failed", 5, "retry", "f1", "");
        pipeline(41, "ann", "running", -1, "retry", "f1", "");
        assertThat(gitlab.pending("ann")).contains("build_failed commit 9:f1 todo");
        pipeline(41, "ann", "success", 9, "retry", "f1", "");
        pipeline(41, "ann", "failed", 5, "retry", "f1", "");
        assertThat(gitlab.pending("ann")).doesNotContain("build_failed commit 9:f1 todo");
    }

    @Test
    void jobsAloneNotifyOfTheFailureOnce() {
        job(51, "failed", 4, "jobs", "g1", true);
        assertThat(gitlab.items("ann")).noneMatch(item -> item.contains("9:g1"));
        job(51, "failed", 5, "jobs", "g1", false);
        pipeline(51, "ann", "failed", 6, "jobs", "g1", "");
        assertThat(gitlab.items("ann")).containsOnlyOnce("build_failed commit 9:g1 todo");
    }

    @Test
    void theFailureOfAJobMovesFromItsCommitToTheMergeRequestInAnyOrder() {
        job(61, "failed", 5, "refs/merge-requests/2/head", "h1", false);
        pipeline(61, "ann", "failed", 6, "refs/merge-requests/2/head", "h1", on(72));
        pipeline(62, "ann", "running", -1, "refs/merge-requests/3/head", "h2", on(73));
        job(62, "failed", 5, "refs/merge-requests/3/head", "h2", false);
        assertThat(gitlab.pending("ann"))
                .contains("build_failed merge_request 72 todo", "build_failed merge_request 73 todo")
                .noneMatch(item -> item.contains("9:h"));
    }

    private void markDone(String user) {
        gitlab.inbox.db.useTransaction(tx ->
                tx.update("""
                        UPDATE inbox.notifications SET state = 2, resolved_by_action = 1, resolved_at = now()
                        WHERE user_id = :user AND state < 2
                        """).bind("user", gitlab.person(2, user).value()).execute());
    }

    @Test
    void aResolvedFailureIsNotifiedOfAgainOnlyAfterAnotherRun() {
        job(81, "failed", 3, "red", "k1", false);
        markDone("ann");
        job(81, "failed", 4, "red", "k1", false);
        pipeline(81, "ann", "failed", 5, "red", "k1", "");
        assertThat(gitlab.items("ann")).containsOnlyOnce("build_failed commit 9:k1 done");
        assertThat(gitlab.pending("ann")).doesNotContain("build_failed commit 9:k1 todo");
        pipeline(81, "ann", "running", -1, "red", "k1", "");
        pipeline(81, "ann", "failed", 9, "red", "k1", "");
        assertThat(gitlab.pending("ann")).contains("build_failed commit 9:k1 todo");
    }

    @Test
    void whatWaitsForAPipelineIsBackWhenOneEndsAndNotWhenItStarts() {
        pipeline(91, "ann", "failed", 3, "wait", "l1", on(77));
        gitlab.inbox.db.useTransaction(tx -> tx.update("""
                UPDATE inbox.notifications SET state = 1, snoozed_event = 'pipeline'
                WHERE resource_id = (SELECT id FROM inbox.resources WHERE type = 2 AND external_id = '77')
                """).execute());
        pipeline(92, "bob", "running", -1, "wait", "l2", on(77));
        assertThat(gitlab.items("ann")).contains("build_failed merge_request 77 snoozed");
        job(92, "failed", 6, "wait", "l2", false);
        assertThat(gitlab.items("ann")).contains("build_failed merge_request 77 todo");
    }

    @Test
    void theSuccessOfAPartIsNoneOfItsPipeline() {
        gitlab.hook("""
                {'object_kind': 'pipeline', 'object_attributes': {'id': 96, 'ref': 'parts', 'sha': 'p1', 'status': 'success',
                     'source': 'parent_pipeline', 'created_at': '2026-05-04 10:00:00 UTC', 'finished_at': '2026-05-04 10:02:00 UTC'},
                 'source_pipeline': {'project': {'id': 9}, 'pipeline_id': 95},
                 'user': {'id': 2, 'username': 'ann'}, %s, 'commit': {'id': 'p1', 'message': 'Tar'}}
                """.formatted(PROJECT));
        pipeline(95, "ann", "failed", 5, "parts", "p1", "");
        assertThat(gitlab.items("ann")).contains("build_failed commit 9:p1 todo");
    }

    @Test
    void aTagIsNotTheBranchOfItsName() {
        pipeline(97, "ann", "failed", 3, "v9", "t1", "");
        gitlab.hook("""
                {'object_kind': 'pipeline', 'object_attributes': {'id': 98, 'ref': 'v9', 'tag': true, 'sha': 't2', 'status': 'success',
                     'created_at': '2026-05-04 10:00:00 UTC', 'finished_at': '2026-05-04 10:05:00 UTC'},
                 'user': {'id': 2, 'username': 'ann'}, %s, 'commit': {'id': 't2', 'message': 'Tar'}}
                """.formatted(PROJECT));
        assertThat(gitlab.items("ann")).contains("build_failed commit 9:t1 todo");
    }
}
