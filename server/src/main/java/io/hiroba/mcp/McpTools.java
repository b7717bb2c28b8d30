package io.hiroba.mcp;

import io.hiroba.platform.http.Contract;
import io.hiroba.platform.http.InternalCalls;
import io.hiroba.platform.http.InternalCalls.Answer;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JsonSchema;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The tools: operations of the API under names that tell models what they are for. */
final class McpTools {

    /** Names of tools and the operations that they are, in the order in which they are listed. */
    private static final List<List<String>> OPERATIONS = List.of(
            List.of("search", "search"),
            List.of("posts_create", "createPost"),
            List.of("posts_get", "getPost"),
            List.of("posts_list", "listPosts"),
            List.of("posts_search", "searchPosts"),
            List.of("posts_feed", "homeFeed"),
            List.of("posts_edit", "editPost"),
            List.of("posts_delete", "deletePost"),
            List.of("posts_like", "likePost"),
            List.of("people_me", "me"),
            List.of("people_list", "listUsers"),
            List.of("people_get", "getUser"),
            List.of("people_follow", "follow"),
            List.of("people_unfollow", "unfollow"),
            List.of("knowledge_search", "searchKnowledge"),
            List.of("knowledge_ask", "askKnowledge"),
            List.of("knowledge_add", "addKnowledgeSource"),
            List.of("knowledge_watch", "getKnowledgeSource"),
            List.of("knowledge_list", "listKnowledgeSources"),
            List.of("knowledge_read", "listKnowledgeChunks"),
            List.of("knowledge_delete", "deleteKnowledgeSource"),
            List.of("knowledge_collections", "listKnowledgeCollections"),
            List.of("records_projects", "listProjects"),
            List.of("records_schemas", "listSchemas"),
            List.of("records_query", "queryRecords"),
            List.of("records_aggregate", "aggregateRecords"),
            List.of("records_get", "getRecord"),
            List.of("records_create", "createRecords"),
            List.of("records_update", "patchRecord"),
            List.of("records_delete", "deleteRecord"),
            List.of("sagas_workflows", "listWorkflows"),
            List.of("sagas_start", "startSaga"),
            List.of("sagas_get", "getSaga"),
            List.of("sagas_watch", "getSaga"),
            List.of("sagas_list", "listSagas"),
            List.of("sagas_signal", "signalSaga"),
            List.of("sagas_cancel", "cancelSaga"),
            List.of("sagas_compensate", "compensateSaga"),
            List.of("sagas_retry", "retrySaga"),
            List.of("sagas_resolve", "resolveSaga"),
            List.of("schedules_list", "listSchedules"),
            List.of("schedules_get", "getSchedule"),
            List.of("schedules_create", "createSchedule"),
            List.of("schedules_update", "changeSchedule"),
            List.of("schedules_delete", "deleteSchedule"),
            List.of("schedules_trigger", "triggerSchedule"),
            List.of("schedules_pause", "pauseSchedule"),
            List.of("schedules_resume", "resumeSchedule"),
            List.of("inbox_list", "listInbox"),
            List.of("inbox_counts", "countInbox"),
            List.of("inbox_done", "inboxDone"),
            List.of("inbox_snooze", "inboxSnooze"),
            List.of("inbox_approval", "inboxApproval"),
            List.of("inbox_approve", "inboxApprove"),
            List.of("inbox_reject", "inboxReject"),
            List.of("inbox_notify", "notifyInbox"));

    /** Tools that add something of one's own, which others can ignore and its author can take back. */
    private static final Set<String> SMALL =
            Set.of("posts_create", "posts_like", "people_follow", "people_unfollow", "knowledge_add");

    /** Tools that change something of the caller's alone: the inbox, or a conversation and what it may cost. */
    private static final Set<String> OWN =
            Set.of("inbox_done", "inbox_snooze", "inbox_approve", "inbox_reject", "knowledge_ask");

    /** Tools that undo or end what others may not begin again, beside those that delete. */
    private static final Set<String> DESTRUCTIVE = Set.of("sagas_cancel", "sagas_compensate", "sagas_resolve");

    private static final List<String> META = List.of("etag", "deprecation", "sunset");

    private McpTools() {}

    /** The names of the tools, but for those that wait. */
    static Set<String> names() {
        return OPERATIONS.stream()
                .map(List::getFirst)
                .filter(name -> Watch.of(name) == null)
                .collect(Collectors.toUnmodifiableSet());
    }

    static boolean isOwn(String name) {
        return OWN.contains(name);
    }

    static List<Named> all(Contract contract) {
        return OPERATIONS.stream()
                .map(entry -> new Named(entry.getFirst(), new ApiOperation(contract.operation(entry.getLast()))))
                .toList();
    }

    /** An operation under the name of its tool. */
    record Named(String name, ApiOperation operation) {

        /** How much it changes; a tool that is not told to change little changes much. */
        ApiTools.Effect effect() {
            if (operation.isRead()) {
                return ApiTools.Effect.NONE;
            }
            return OWN.contains(name)
                    ? ApiTools.Effect.OWN
                    : SMALL.contains(name) ? ApiTools.Effect.SMALL : ApiTools.Effect.LARGE;
        }

        Tool described() {
            var watch = Watch.of(name);
            var properties = new LinkedHashMap<>(operation.properties());
            if (watch != null) {
                properties.put(Watch.SECONDS, Watch.SECONDS_SCHEMA);
            }
            var definitions = operation.definitions();
            return Tool.builder()
                    .name(name)
                    .description(watch == null ? operation.summary() : watch.description())
                    .inputSchema(new JsonSchema(
                            "object",
                            properties,
                            operation.required(),
                            false,
                            definitions.isEmpty() ? null : definitions,
                            null))
                    .outputSchema(operation.answerSchema())
                    .annotations(new ToolAnnotations(
                            null,
                            operation.isRead(),
                            operation.isDelete() || DESTRUCTIVE.contains(name),
                            operation.isIdempotent(),
                            false,
                            null))
                    .build();
        }

        CallToolResult call(InternalCalls calls, @Nullable Map<String, Object> arguments, CallProgress progress) {
            var given = arguments == null ? Map.<String, Object>of() : arguments;
            var watch = Watch.of(name);
            try {
                return result(
                        watch == null ? operation.call(calls, given) : watch.await(operation, calls, given, progress));
            } catch (ToolException e) {
                return refused(String.valueOf(e.getMessage()));
            }
        }

        private CallToolResult result(Answer answer) {
            if (!answer.isSuccess()) {
                return refused(operation.inArguments(problem(answer)));
            }
            var text = answer.body().isEmpty() ? "Done." : answer.body();
            var result = CallToolResult.builder().addTextContent(text);
            var meta = meta(answer);
            if (!meta.isEmpty()) {
                result.meta(meta);
            }
            var content = read(answer.body());
            return (content != null && content.isObject()
                            ? result.structuredContent(ApiOperation.JSON.convertValue(content, Map.class))
                            : result)
                    .build();
        }

        /** Headers that tell a program more than the body does. */
        private static Map<String, Object> meta(Answer answer) {
            var meta = new LinkedHashMap<String, Object>();
            for (var name : META) {
                var value = answer.header(name);
                if (value != null) {
                    meta.put(name, value);
                }
            }
            return meta;
        }

        private static CallToolResult refused(String message) {
            return CallToolResult.builder()
                    .addTextContent(message)
                    .isError(true)
                    .build();
        }
    }

    /** What the API's problem says, with the fields that are wrong: what the model has to change. */
    static String problem(Answer answer) {
        var problem = read(answer.body());
        if (problem == null || !problem.isObject()) {
            return "The server answered with " + answer.status() + ".";
        }
        var message = new StringBuilder(problem.path("title").asString("Refused"));
        var detail = problem.path("detail").asString("");
        if (!detail.isEmpty()) {
            message.append(": ").append(detail);
        }
        for (var error : problem.path("errors")) {
            message.append("\n- ")
                    .append(error.path("field").asString(""))
                    .append(": ")
                    .append(error.path("message").asString(""));
        }
        return message.append(" (")
                .append(answer.status())
                .append(' ')
                .append(problem.path("code").asString(""))
                .append(')')
                .toString();
    }

    static @Nullable JsonNode read(String json) {
        try {
            return ApiOperation.JSON.readTree(json);
        } catch (JacksonException | ArithmeticException | IllegalArgumentException e) {
            return null;
        }
    }
}
