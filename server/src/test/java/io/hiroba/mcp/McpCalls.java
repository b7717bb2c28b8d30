package io.hiroba.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of tools by the SDK's client. */
final class McpCalls {

    private McpCalls() {}

    static McpSyncClient client(String url, String token) {
        return client(url, token, progress -> {});
    }

    /** @param progress hears how far calls have come that ask for it */
    static McpSyncClient client(String url, String token, Consumer<ProgressNotification> progress) {
        return McpClient.sync(HttpClientStreamableHttpTransport.builder(url)
                        .jsonMapper(new JacksonMcpJsonMapper(JsonMapper.shared()))
                        .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + token))
                        .build())
                .progressConsumer(progress)
                .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(""))
                .build();
    }

    static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(new CallToolRequest(tool, arguments));
    }

    static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    /** What a call answered, the same as an object and as text. */
    static JsonNode content(CallToolResult result) {
        assertThat(result.isError()).as(text(result)).isNotEqualTo(true);
        var content = JsonMapper.shared().valueToTree(result.structuredContent());
        assertThat(content).isEqualTo(JsonMapper.shared().readTree(text(result)));
        return content;
    }
}
