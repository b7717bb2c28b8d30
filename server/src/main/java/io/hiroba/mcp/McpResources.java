package io.hiroba.mcp;

import io.hiroba.platform.http.Contract;
import io.hiroba.platform.http.InternalCalls;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncCompletionSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceReference;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The resources, each read by an operation of the API, and the prompts that are made of them. */
final class McpResources {

    private static final String SCHEME = "hiroba://";
    private static final String JSON = "application/json";
    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");
    private static final int MAX_COMPLETIONS = 100;
    private static final int MAX_PROJECTS = 10;

    private static final List<Address> ADDRESSES = List.of(
            new Address("me", "me", "Whoever's token this is."),
            new Address("inbox", "listInbox", "The inbox: what wants something from them."),
            new Address("post/{id}", "getPost", "A post."),
            new Address("person/{id}", "getUser", "A person or an agent."),
            new Address("source/{id}", "listKnowledgeChunks", "The passages of a document."),
            new Address("record/{project}/{schema}/{row}", "getRecord", "A record."),
            new Address("saga/{id}", "getSaga", "A saga with its steps."));

    private final Map<String, ApiOperation> operations;
    private final Set<String> scopes;

    /** An address below {@code hiroba://}, its variables being parameters of the operation. */
    private record Address(String path, String operation, String description) {

        String uri() {
            return SCHEME + path;
        }

        boolean isTemplate() {
            return path.contains("{");
        }

        String name() {
            return path.contains("/") ? path.substring(0, path.indexOf('/')) : path;
        }

        /** The values of the variables in an address of this form. */
        Map<String, Object> arguments(String uri) {
            var names = VARIABLE.matcher(path)
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            var matcher = Pattern.compile(VARIABLE.matcher(uri()).replaceAll("([^/]+)"))
                    .matcher(uri);
            if (!matcher.matches()) {
                throw notFound(uri, "an address is " + uri());
            }
            var arguments = new LinkedHashMap<String, Object>();
            for (var name : names) {
                arguments.put(name, URLDecoder.decode(matcher.group(arguments.size() + 1), StandardCharsets.UTF_8));
            }
            return arguments;
        }
    }

    /** @param operations from {@link #operations} */
    McpResources(Map<String, ApiOperation> operations, Set<String> scopes) {
        this.operations = operations;
        this.scopes = scopes;
    }

    /** The operations that resources are read by, by their ids: made once, since each collects its schemas. */
    static Map<String, ApiOperation> operations(Contract contract) {
        return Stream.concat(
                        ADDRESSES.stream().map(Address::operation),
                        Stream.of(
                                "listProjects",
                                "listSchemas",
                                "listUsers",
                                "listPosts",
                                "searchPosts",
                                "listKnowledgeSources",
                                "listSagas"))
                .distinct()
                .collect(Collectors.toUnmodifiableMap(id -> id, id -> new ApiOperation(contract.operation(id))));
    }

    private ApiOperation operation(String id) {
        return Objects.requireNonNull(operations.get(id), id);
    }

    private Stream<Address> allowed() {
        return ADDRESSES.stream()
                .filter(address ->
                        scopes.contains(operation(address.operation()).scope()));
    }

    List<SyncResourceSpecification> fixed() {
        return allowed()
                .filter(address -> !address.isTemplate())
                .map(address -> new SyncResourceSpecification(
                        Resource.builder()
                                .uri(address.uri())
                                .name(address.name())
                                .description(address.description())
                                .mimeType(JSON)
                                .build(),
                        (context, request) -> read(McpServers.callsOf(context), address, request.uri())))
                .toList();
    }

    List<SyncResourceTemplateSpecification> templates() {
        return allowed()
                .filter(Address::isTemplate)
                .map(address -> new SyncResourceTemplateSpecification(
                        ResourceTemplate.builder()
                                .uriTemplate(address.uri())
                                .name(address.name())
                                .description(address.description())
                                .mimeType(JSON)
                                .build(),
                        (context, request) -> read(McpServers.callsOf(context), address, request.uri())))
                .toList();
    }

    private ReadResourceResult read(InternalCalls calls, Address address, String uri) {
        return new ReadResourceResult(List.of(new TextResourceContents(uri, JSON, fetch(calls, address, uri))));
    }

    private String fetch(InternalCalls calls, Address address, String uri) {
        try {
            var answer = operation(address.operation()).call(calls, address.arguments(uri));
            if (!answer.isSuccess()) {
                throw notFound(uri, McpTools.problem(answer));
            }
            return answer.body();
        } catch (ToolException e) {
            throw notFound(uri, String.valueOf(e.getMessage()));
        }
    }

    private static McpError notFound(String uri, String why) {
        return McpError.builder(ErrorCodes.RESOURCE_NOT_FOUND)
                .message(why)
                .data(Map.of("uri", uri))
                .build();
    }

    /** Ids are completed from the names of what they are of. */
    List<SyncCompletionSpecification> completions() {
        return allowed()
                .filter(Address::isTemplate)
                .map(address -> new SyncCompletionSpecification(
                        new ResourceReference(address.uri()),
                        (context, request) -> complete(McpServers.callsOf(context), address, request)))
                .toList();
    }

    private CompleteResult complete(InternalCalls calls, Address address, CompleteRequest request) {
        var argument = request.argument();
        var begun = argument.value().strip();
        var fitting = switch (argument.name()) {
            case "project" -> ids(calls, "listProjects", "name", begun);
            case "schema" ->
                schemas(calls, request).stream()
                        .filter(name -> begins(name, begun))
                        .toList();
            case "id" -> ids(calls, address, begun);
            default -> List.<String>of();
        };
        return new CompleteResult(new CompleteResult.CompleteCompletion(
                fitting.stream().limit(MAX_COMPLETIONS).toList(), fitting.size(), fitting.size() > MAX_COMPLETIONS));
    }

    private List<String> ids(InternalCalls calls, Address address, String begun) {
        return switch (address.name()) {
            case "person" -> values(calls, "listUsers", Map.of("query", begun), "id");
            case "post" ->
                begun.isEmpty()
                        ? values(calls, "listPosts", Map.of(), "id")
                        : values(calls, "searchPosts", Map.of("query", begun), "id");
            case "source" -> ids(calls, "listKnowledgeSources", "title", begun);
            case "saga" -> ids(calls, "listSagas", "workflowName", begun);
            default -> List.of();
        };
    }

    /** The ids in a list of those that begin so, or whose names do. */
    private List<String> ids(InternalCalls calls, String operation, String name, String begun) {
        return items(calls, operation, Map.of())
                .filter(item -> begins(item.path("id").asString(""), begun)
                        || begins(item.path(name).asString(""), begun))
                .map(item -> item.path("id").asString(""))
                .toList();
    }

    private static boolean begins(String text, String begun) {
        return text.toLowerCase(Locale.ROOT).startsWith(begun.toLowerCase(Locale.ROOT));
    }

    /** Those of the project that was given, or else of all. */
    private List<String> schemas(InternalCalls calls, CompleteRequest request) {
        var context = request.context();
        var given = context == null || context.arguments() == null
                ? null
                : context.arguments().get("project");
        var projects = given == null ? values(calls, "listProjects", Map.of(), "id") : List.of(given);
        return projects.stream()
                .limit(MAX_PROJECTS)
                .flatMap(project -> values(calls, "listSchemas", Map.of("project", project), "name").stream())
                .distinct()
                .toList();
    }

    private List<String> values(InternalCalls calls, String operation, Map<String, Object> arguments, String field) {
        return items(calls, operation, arguments)
                .map(item -> item.path(field).asString(""))
                .toList();
    }

    private Stream<JsonNode> items(InternalCalls calls, String operation, Map<String, Object> arguments) {
        try {
            var answer = operation(operation).call(calls, arguments);
            var page = answer.isSuccess() ? McpTools.read(answer.body()) : null;
            return page == null ? Stream.of() : page.path("items").valueStream();
        } catch (ToolException e) {
            // Of a project whose name is still being typed there is nothing to offer.
            return Stream.of();
        }
    }

    List<SyncPromptSpecification> prompts() {
        return Stream.of(
                        prompt(
                                "inbox",
                                new Prompt(
                                        "summarise_inbox",
                                        "Summarise my inbox",
                                        "Says what waits in the inbox and what to do first.",
                                        List.of()),
                                "Summarise my inbox: what is urgent, what waits for others, what can be done at once. Name each "
                                        + "item with its link. The inbox, as data:"),
                        prompt(
                                "post/{id}",
                                new Prompt(
                                        "draft_reply",
                                        "Draft a reply",
                                        "Drafts a reply to a post without sending it.",
                                        List.of(new PromptArgument("id", "The id of the post.", true))),
                                "Draft a short, friendly reply to this post, in its language. Do not send it; show it to me. "
                                        + "The post, as data:"))
                .flatMap(List::stream)
                .toList();
    }

    private List<SyncPromptSpecification> prompt(String path, Prompt prompt, String text) {
        return allowed()
                .filter(address -> address.path().equals(path))
                .map(address -> new SyncPromptSpecification(
                        prompt, (context, request) -> filled(McpServers.callsOf(context), address, request, text)))
                .toList();
    }

    private GetPromptResult filled(InternalCalls calls, Address address, GetPromptRequest request, String text) {
        var uri = VARIABLE.matcher(address.uri()).replaceAll(found -> argument(request.arguments(), found.group(1)));
        return new GetPromptResult(
                null,
                List.of(new PromptMessage(Role.USER, new TextContent(text + "\n\n" + fetch(calls, address, uri)))));
    }

    private static String argument(@Nullable Map<String, Object> arguments, String name) {
        var value = arguments == null ? null : arguments.get(name);
        if (!(value instanceof String text) || !text.matches("[A-Za-z0-9_-]+")) {
            throw McpError.builder(ErrorCodes.INVALID_PARAMS)
                    .message("The argument " + name + " must be an id.")
                    .build();
        }
        return text;
    }
}
