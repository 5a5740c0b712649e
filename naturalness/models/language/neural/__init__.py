"""Neural language models: ONNX files in our own format, and Hugging Face models."""
