package io.hiroba.platform.task;

import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A saga step that a feature carries out in this program. It must be idempotent: a repeat after it took effect returns the same
 * answer.
 *
 * @param service the service that workflows name
 * @param method the method that workflows name
 * @param body takes the step's input and returns its output
 */
public record LocalSagaStep(String service, String method, UnaryOperator<JsonNode> body) {}
